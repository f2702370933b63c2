"""One broker, one Spark session and one daemon that watches all queries of a run."""

from collections import Counter
from pathlib import Path

from support.prediction import predict, rows_since, skipped_records
from support.spark import FileQuery, Query
from support.tidegauge import Configured, Daemon, EXIT_CRITICAL, EXIT_OK

# What `check` and the daemon must agree on.
SAME = ("kind", "severity", "query", "kafka_cluster", "topic", "direction", "evidence",
        "confidence", "records", "partitions")


class Lab:
    def __init__(self, binary: Path, directory: Path, broker, topics, spark):
        self.broker = broker
        self.topics = topics
        self._spark = spark
        self._binary = binary
        self._directory = directory
        self._checks = {}
        self._lives = {}  # {query: {topic: id when it last read}}
        self.all_queries = {"{query}": directory / "queries" / "{query}" / "checkpoint"}
        self.daemon = self.new_daemon("daemon", self.all_queries)

    @property
    def session(self):
        return self._spark.session

    def freeze_spark(self):
        self._spark.freeze()

    def thaw_spark(self):
        self._spark.thaw()

    # ------------------------------------------------------------- making

    def new_daemon(self, name, queries, detectors=None, **more):
        return Daemon(self._binary, self._directory / name, self.broker.address, queries, detectors,
                      **more)

    def query(self, name, *topics, **how):
        """A query on the topics, or on one that has its name."""
        return Query(self._spark, self.broker.address, self._directory / "queries" / name,
                     topics or (name,), **how)

    def file_query(self, name):
        return FileQuery(self._spark, self._directory / "queries" / name)

    def new_check(self, query, name="check"):
        """`check` on this query alone, with a memory of its own that is empty yet."""
        return Configured(self._binary, self._directory / f"{name}-{query.name}",
                          self.broker.address, {query.name: query.checkpoint})

    def commands(self, query):
        """The program's commands on this query alone, which remember from call to call."""
        if query.name not in self._checks:
            self._checks[query.name] = self.new_check(query)
        return self._checks[query.name]

    def check(self, query):
        return self.commands(query).check()

    def consumed(self, name, counts, **how):
        """A query that has read all of a new topic, counts[p] records of partition p; the daemon
        and `check` have seen it, and found nothing."""
        query = self.query(name, **how)
        self.topics.create(name, len(counts))
        self.topics.produce(name, counts)
        self.run(query)
        self.learn(query)
        return query

    def run(self, query):
        failure = query.run()
        assert failure is None, failure
        self._lives[query.name] = {topic: self.topics.id(topic) for topic in query.topics}

    # ------------------------------------------------------------- asking

    def learn(self, query):
        """Waits until the daemon and `check` know the query as it is, and sees that all is well."""
        self.catch_up(query)
        self.nothing_found(query)

    def catch_up(self, query):
        """Waits until the daemon has seen the newest commit and the topics."""
        self.daemon.wait_state(query.name, ("ok", "findings"))
        committed = query.committed_batch()
        while self.daemon.query(query.name).get("committed_batch") != committed:
            self.daemon.wait_polls()

    def nothing_found(self, query):
        self.daemon.wait_polls()
        assert self.daemon.findings(query.name) == []
        assert self.daemon.query(query.name)["state"] == "ok"
        check = self.check(query)
        assert (check.findings, check.unknown, check.status) == ([], [], EXIT_OK)

    def found(self, query, kind, topic=None, **fields):
        """The finding, of which the daemon and `check` say the same."""
        self.daemon.wait_polls()  # one that saw all the test has made
        finding = self.daemon.wait_for(kind, query.name, topic, **fields)
        check = self.check(query)
        assert check.status == EXIT_CRITICAL
        (same,) = [f for f in check.findings if (f["kind"], f["topic"]) == (kind, finding["topic"])]
        assert _essence(same) == _essence(finding)
        self._in_metrics(finding)
        return finding

    def kinds(self, query):
        """The kinds that are found now; the daemon and `check` say the same."""
        self.daemon.wait_polls()
        kinds = sorted(f["kind"] for f in self.daemon.findings(query.name))
        assert sorted(f["kind"] for f in self.check(query).findings) == kinds
        return kinds

    def _in_metrics(self, finding):
        labels = {key: finding[key] for key in ("kind", "query", "topic", "severity")}
        assert self.daemon.metric("tidegauge_finding", **labels) == 1
        assert self.daemon.metric("tidegauge_finding_records", **labels) == finding.get("records")

    # ------------------------------------------------------------- judging

    def judge(self, query, more=20):
        """Lets Spark run on what is there and holds what it does against what is found: whether it
        fails, and which records it never reads, for which some more are produced. Returns the text
        of the failure, or None."""
        prediction = predict(self.daemon.findings(query.name), query.fail_on_data_loss)
        before = Counter(query.rows())
        failure = query.run()
        read = rows_since(query, before)
        print(f"{query.name}: {prediction}")
        print(f"{query.name}: Spark reads {read.total()} rows, fails: {failure and failure[:1500]}")
        assert (failure is not None) == prediction.fails
        if failure:
            assert not read
            return failure
        for topic in query.topics:
            self.topics.produce(topic, [more] * len(self.topics.ends(topic)))
        first = self._first_unread(query, before)
        self.run(query)
        read = rows_since(query, before)
        skipped = skipped_records(self.topics, query, read, first)
        print(f"{query.name}: in the end Spark has read {read.total()}, skipped {skipped}")
        assert skipped == prediction.skipped
        assert set(read.values()) == {query.times}
        return None

    def _first_unread(self, query, before):
        """{(topic, partition): the offset of the first record that the query has not seen}"""
        first = {}
        same = {t for t in query.topics if self._lives[query.name][t] == self.topics.id(t)}
        for topic, partition, offset in before:
            if topic in same:
                first[topic, partition] = max(first.get((topic, partition), 0), offset + 1)
        return first


def _essence(finding):
    """What two polls say alike. The log end is that of the moment: records come in between them."""
    essence = {key: finding.get(key) for key in SAME}
    essence["partitions"] = [{key: value for key, value in partition.items() if key != "log_end"}
                             for partition in finding.get("partitions", [])]
    return essence
