"""A query and what is found on its checkpoint and its sink."""

import json
import shutil
from collections import Counter

from support.spark import Query
from support.tidegauge import EXIT_CRITICAL, EXIT_OK, EXIT_UNKNOWN, Configured

RECORDS = 7
BATCHES = {"maxOffsetsPerTrigger": str(RECORDS)}


class Watched:
    """A query of many small batches, on which the commands look with its sink and their own memory.
    Each batch reads RECORDS records."""

    plan_options = ()

    def __init__(self, lab, topics, name, interval=None, sink_options=None, **settings):
        self._topics = topics
        query = lab.query(name, options=BATCHES, sink_options=sink_options)
        self._watch(lab, query, query.directory, interval, settings)
        topics.create(name)

    def _watch(self, lab, query, directory, interval=None, settings=None):
        """`directory` is for what the commands need, and write."""
        self._plans = 0
        self._directory = directory
        self.query = query
        self.log = query.sink / "_spark_metadata"
        self.entry = {"checkpoint": str(query.checkpoint), "sink": str(query.sink),
                      **(settings or {})}
        self.commands = Configured(lab.commands(query).binary, directory / "tidegauge",
                                   lab.broker.address, {query.name: self.entry})
        self.tell(interval)

    def tell(self, interval):
        """What the configuration says of Spark's compactInterval for sinks; None: nothing."""
        if interval:
            self.entry["compact_interval"] = interval
        self.commands.configure({self.query.name: self.entry})

    def produce(self, batches=1):
        self._topics.produce(self.query.topic, [RECORDS * batches])

    def batch(self):
        """One more batch; the text of the failure, or None."""
        self.produce()
        return self.query.run()

    def batches(self, last):
        """Up to this one, all by one driver."""
        self.produce(last - self.query.committed_batch())
        failure = self.query.run()
        assert failure is None, failure
        assert self.query.committed_batch() >= last

    def run_until(self, batch):
        """Batches, each by a driver of its own, up to this one; the failure of the one after it."""
        while self.query.committed_batch() < batch:
            failure = self.batch()
            assert failure is None, failure
        return self.batch()

    def finding(self, kind, status=EXIT_CRITICAL):
        check = self.commands.check()
        assert check.status == status, check
        (found,) = [f for f in check.findings if f["kind"] == kind]
        return found

    def findings(self):
        check = self.commands.check()
        assert check.unknown == []
        return check.findings

    def kinds(self):
        return sorted(f["kind"] for f in self.findings())

    def nothing_found(self):
        check = self.commands.check()
        assert (check.findings, check.unknown, check.status) == ([], [], EXIT_OK)

    def remedies(self, kind):
        self._plans += 1
        files = self._directory / f"plan_{self._plans}"
        done = self.commands.command("plan", self.query.name, f"--output={files}", "--format=json",
                                     *self.plan_options)
        # What is broken may be unknown too.
        assert done.returncode in (EXIT_OK, EXIT_UNKNOWN), done
        found = [f for f in json.loads(done.stdout)["findings"] if f["kind"] == kind]
        assert found, done
        return {remedy["id"]: remedy for remedy in found[0]["remedies"]}, files

    def delete_log(self):
        shutil.rmtree(self.log)

    def read(self, session):
        """What a batch job sees."""
        return Counter((row["partition"], row["offset"])
                       for row in session.read.json(self.query.uri(self.query.sink)).collect())


class QueryOnHdfs(Query):
    """Its paths are those of the mount."""

    def __init__(self, hdfs, *arguments, **options):
        super().__init__(*arguments, **options)
        self._hdfs = hdfs

    def uri(self, path):
        return self._hdfs.uri(path)


class WatchedOnHdfs(Watched):
    """Its checkpoint and sink are in `directory` of HDFS; `local` is for what the commands need."""

    INTERVAL = 3

    def __init__(self, lab, topics, spark, hdfs, directory, local, settings):  # pylint: disable=super-init-not-called
        self._topics = topics
        query = QueryOnHdfs(hdfs, spark, lab.broker.address, directory, [directory.name],
                            options=BATCHES)
        self._watch(lab, query, local, self.INTERVAL, settings)
        self.plan_options = (f"--hdfs.mount={hdfs.mount}",)
        topics.create(query.topic)


class WatchedFiles(Watched):
    """A query of one small batch for each file in a directory."""

    def __init__(self, lab, name):  # pylint: disable=super-init-not-called
        query = lab.file_query(name)
        self._watch(lab, query, query.directory)
        self._written = 0

    def produce(self, batches=1):
        for _ in range(batches):
            rows = [f'{{"file": {self._written}, "row": {row}}}' for row in range(RECORDS)]
            hidden = self.query.input / f".{self._written}"
            hidden.write_text("\n".join(rows))
            hidden.rename(self.query.input / f"{self._written}.json")
            self._written += 1

    def read(self, session):
        return Counter(row["file"] for row in session.read.json(str(self.query.sink)).collect())


def all_records(topics, topic):
    return Counter((p, offset) for p, (start, end) in topics.ends(topic).items()
                   for offset in range(start, end))


def is_said(finding, failure):
    """Whether the message that the finding foretells, its first quotation, is in the failure. Spark
    names files with their scheme or without."""
    _, said, _ = finding["summary"].split('"', 2)
    return said in failure.replace("file:/", "/")
