"""Every way out that `plan` prints is gone as printed, and Spark then reads what it should."""

import json
import re
from collections import Counter

import pytest

from support.plan import carry_out
from support.prediction import rows_since
from support.tidegauge import EXIT_OK

RECREATED = {"below": [200, 120], "equal": [300, 200], "above": [450, 350], "empty": [0, 0]}


def plan(lab, query, kind):
    """The remedies of a finding, by id, and the directory with their files."""
    lab.catch_up(query)
    lab.found(query, kind)
    files = query.directory / f"plan_{kind}"
    done = lab.commands(query).command("plan", query.name, f"--output={files}", "--format=json")
    assert done.returncode == EXIT_OK, done
    (found,) = [f for f in json.loads(done.stdout)["findings"] if f["kind"] == kind]
    return {remedy["id"]: remedy for remedy in found["remedies"]}, files


def all_there_is(topics, topic, first=None):
    """Each record from the log start, or from `first`, once."""
    first = first or {}
    return Counter((topic, p, offset) for p, (start, end) in topics.ends(topic).items()
                   for offset in range(max(start, first.get(p, start)), end))


def reads_on(lab, query, before, expected):
    lab.run(query)
    assert rows_since(query, before) == expected
    lab.learn(query)


@pytest.mark.parametrize("direction", RECREATED)
@pytest.mark.parametrize("spark_has_tried", [False, True], ids=["at_once", "after_spark"])
def test_corrected_offsets_read_the_new_topic_whole(lab, topics, direction, spark_has_tried):
    query = lab.consumed(f"plan_{direction}_{spark_has_tried}", [300, 200])
    topics.recreate(query.topic, 2)
    topics.produce(query.topic, RECREATED[direction])
    before = Counter(query.rows())
    if spark_has_tried and direction in ("below", "empty"):
        assert query.run(), "the end is below the start"
    remedies, files = plan(lab, query, "topic_recreated")
    carry_out(lab.commands(query), remedies["correct_offsets"], files)
    lab.learn(query)
    topics.produce(query.topic, [20, 20])
    reads_on(lab, query, before, all_there_is(topics, query.topic))


def test_a_new_checkpoint_goes_on_where_the_other_topic_was(lab, topics):
    kept, lost = "plan_new_kept", "plan_new_lost"
    query = lab.query("plan_new", kept, lost)
    for topic in query.topics:
        topics.create(topic)
        topics.produce(topic, [100])
    lab.run(query)
    lab.learn(query)
    topics.recreate(lost)
    topics.produce(lost, [150])
    topics.produce(kept, [30])

    remedies, _ = plan(lab, query, "topic_recreated")
    (offsets,) = re.findall(r'"startingOffsets", """(.*)"""', json.dumps(
        remedies["new_checkpoint"]).replace('\\"', '"'))
    fresh = lab.query("plan_new_fresh", kept, lost, options={"startingOffsets": offsets})
    lab.run(fresh)
    assert Counter(fresh.rows()) == (all_there_is(topics, lost) +
                                     all_there_is(topics, kept, {0: 100}))


def test_an_empty_topic_needs_one_start_with_the_option(lab, topics):
    query = lab.consumed("plan_go_on_empty", [100])
    topics.recreate(query.topic)
    before = Counter(query.rows())
    remedies, files = plan(lab, query, "topic_recreated")
    query.fail_on_data_loss = False
    assert query.run() is None
    carry_out(lab.commands(query), remedies["go_on"], files)
    query.fail_on_data_loss = True
    topics.produce(query.topic, [150])
    reads_on(lab, query, before, all_there_is(topics, query.topic))


@pytest.mark.parametrize("spark_has_tried", [False, True], ids=["at_once", "after_spark"])
def test_expired(lab, topics, spark_has_tried):
    query = lab.consumed(f"plan_expired_{spark_has_tried}", [500, 100])
    topics.produce(query.topic, [500, 50])
    topics.trim(query.topic, 0, 700)
    before = Counter(query.rows())
    if spark_has_tried:
        assert query.run(), "records are lost"
    remedies, files = plan(lab, query, "records_expired")
    carry_out(lab.commands(query), remedies["raise_retention"], files)
    assert topics.settings(query.topic, "retention.ms", "retention.bytes") == ["-1", "-1"]
    carry_out(lab.commands(query), remedies["correct_offsets"], files)
    reads_on(lab, query, before, all_there_is(topics, query.topic, {1: 100}))


def test_partitions_that_are_gone_are_taken_out(lab, topics):
    query = lab.consumed("plan_fewer", [100, 70, 50])
    topics.recreate(query.topic, 1)
    topics.produce(query.topic, [240])
    before = Counter(query.rows())
    remedies, files = plan(lab, query, "partition_missing")
    carry_out(lab.commands(query), remedies["correct_offsets"], files)
    reads_on(lab, query, before, all_there_is(topics, query.topic))


def test_a_new_partition_that_lost_its_start(lab, topics):
    query = lab.consumed("plan_added", [100])
    topics.add_partitions(query.topic, 2)
    topics.produce(query.topic, [10, 50])
    topics.trim(query.topic, 1, 20)
    before = Counter(query.rows())
    remedies, files = plan(lab, query, "new_partition_not_from_start")
    carry_out(lab.commands(query), remedies["correct_offsets"], files)
    reads_on(lab, query, before, all_there_is(topics, query.topic, {0: 100}))


def test_a_deleted_topic_is_made_again(lab, topics):
    query = lab.consumed("plan_deleted", [100])
    topics.delete(query.topic)
    remedies, _ = plan(lab, query, "topic_missing")
    create, rebase, _ = remedies["recreate_topic"]["steps"]
    carry_out(lab.commands(query), {"steps": [create]}, query.directory)
    query.fail_on_data_loss = False
    assert query.run() is None
    carry_out(lab.commands(query), {"steps": [rebase]}, query.directory)
    query.fail_on_data_loss = True
    before = Counter(query.rows())
    topics.produce(query.topic, [40])
    reads_on(lab, query, before, all_there_is(topics, query.topic))


def test_skipped_records_are_read_by_a_batch_job(lab, topics):
    query = lab.consumed("plan_skipped", [100])
    topics.recreate(query.topic)
    topics.produce(query.topic, [150])
    lab.found(query, "topic_recreated")
    assert query.run() is None
    remedies, files = plan(lab, query, "records_skipped")
    text = remedies["read_skipped"]["steps"][0]["what"]
    code = text[text.index("spark.read"):]
    rows = eval(code, {"spark": lab.session}).collect()  # noqa: S307 - the plan's own line
    assert sorted(row["offset"] for row in rows) == list(range(100))
    carry_out(lab.commands(query), remedies["read_skipped"], files)
    assert lab.check(query).findings == []
