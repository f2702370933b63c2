"""What a finding says that Spark will do, and what Spark did."""

from collections import Counter
from dataclasses import dataclass, field

# With failOnDataLoss (the default) a restart of the query fails on these; a deleted topic ends it
# whatever the option says.
FAILS = {"records_expired", "partition_missing", "new_partition_not_from_start",
         "end_below_checkpoint", "topic_missing"}
FAILS_ALWAYS = {"topic_missing"}
FAILING_DIRECTIONS = {"below", "empty"}


@dataclass
class Prediction:
    fails: bool
    skipped: dict = field(default_factory=dict)  # {(topic, partition): records}, without zeros


def predict(findings, fail_on_data_loss):
    fails = any(_fails(finding, fail_on_data_loss) for finding in findings)
    skipped = {}
    for finding in findings:
        for partition in finding.get("partitions", []):
            if partition.get("records"):
                key = finding["topic"], partition["partition"]
                skipped[key] = max(skipped.get(key, 0), partition["records"])
    return Prediction(fails, skipped)


def _fails(finding, fail_on_data_loss):
    if finding["kind"] in FAILS_ALWAYS:
        return True
    if finding["kind"] == "topic_recreated":
        return fail_on_data_loss and finding["direction"] in FAILING_DIRECTIONS
    return fail_on_data_loss and finding["kind"] in FAILS


def rows_since(query, before: Counter):
    """The rows that the query has read since `before` was Counter(query.rows())."""
    return Counter(query.rows()) - before


def skipped_records(topics, query, rows, first):
    """{(topic, partition): records that Spark passed over}, from `first` (or 0) to the last row
    that it read of each partition that there is."""
    skipped = {}
    for topic in query.topics:
        for partition in topics.ends(topic):
            read = {o for (t, p, o) in rows if (t, p) == (topic, partition)}
            assert read, f"{query.name} read nothing of {topic}-{partition}"
            missed = set(range(first.get((topic, partition), 0), max(read))) - read
            if missed:
                skipped[topic, partition] = len(missed)
    return skipped
