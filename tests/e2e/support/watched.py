"""A query and what is found on its checkpoint and its sink."""

import json
import shutil
from collections import Counter

from support.tidegauge import EXIT_CRITICAL, EXIT_OK, EXIT_UNKNOWN, Configured


class Watched:
    """A query of many small batches, on which the commands look with its sink and their own memory."""

    plan_options = ()

    def __init__(self, lab, topics, name, interval=10, query=None, directory=None, **settings):
        self._topics = topics
        self.query = query or lab.query(name)
        self._directory = directory or self.query.directory
        self.log = self.query.sink / "_spark_metadata"
        topics.create(name)
        self.commands = Configured(
            lab.commands(self.query).binary, self._directory / "tidegauge",
            lab.broker.address, {name: {"checkpoint": str(self.query.checkpoint),
                                        "sink": str(self.query.sink),
                                        "compact_interval": interval, **settings}})

    def batch(self):
        """One more batch of seven records; the text of the failure, or None."""
        self._topics.produce(self.query.topic, [7])
        return self.query.run()

    def batches(self, last):
        while self.query.committed_batch() < last:
            assert self.batch() is None

    def finding(self, kind, status=EXIT_CRITICAL):
        check = self.commands.check()
        assert check.status == status, check
        (found,) = [f for f in check.findings if f["kind"] == kind]
        return found

    def nothing_found(self):
        check = self.commands.check()
        assert (check.findings, check.unknown, check.status) == ([], [], EXIT_OK)

    def remedies(self, kind):
        files = self._directory / "plan"
        done = self.commands.command("plan", self.query.name, f"--output={files}", "--format=json",
                                     *self.plan_options)
        # What is broken may be unknown too.
        assert done.returncode in (EXIT_OK, EXIT_UNKNOWN), done
        found = [f for f in json.loads(done.stdout)["findings"] if f["kind"] == kind]
        return {remedy["id"]: remedy for remedy in found[0]["remedies"]}, files

    def delete_log(self):
        shutil.rmtree(self.log)

    def read(self, session):
        """What a batch job sees."""
        return Counter((row["partition"], row["offset"])
                       for row in session.read.json(self.query.uri(self.query.sink)).collect())


def all_records(topics, topic):
    return Counter((p, offset) for p, (start, end) in topics.ends(topic).items()
                   for offset in range(start, end))
