"""Checkpoints, a Kafka that is a file, a configuration, and the program run on them."""

import json
import shutil
import subprocess
import time
from pathlib import Path

from scenes.daemon import Daemon
from servers.server import free_port

TOPIC_ID = "6sdon+hdTpGDPuUqycli4g"
OTHER_ID = "mPUrHNpSQ4mLs2rLYAVVvA"
KINDS = ("batch_stuck", "checkpoint_empty", "checkpoint_missing", "checkpoint_restarted",
         "checkpoint_shared", "cluster_changed", "commit_log_unreadable",
         "compact_interval_changed", "compact_log_large", "compaction_will_fail",
         "end_below_checkpoint", "log_version_unsupported", "new_partition_not_from_start",
         "offset_log_gap", "offset_log_unreadable", "offsets_missing", "partition_dropped",
         "partition_missing", "query_id_changed", "query_id_missing", "query_stalled",
         "records_expired", "records_skipped", "retention_headroom_low", "sink_ahead_of_checkpoint",
         "sink_log_gap", "sink_log_missing", "sink_log_unreadable", "source_count_changed",
         "source_offsets_empty", "topic_missing", "topic_recreated")


def now_ms():
    return int(time.time() * 1000)


def partition(log_end, log_start=0, by_time=None):
    """A partition whose records are old, so that their stamps prove nothing, unless told otherwise."""
    return {"log_start": log_start, "log_end": log_end,
            "by_time": by_time if by_time is not None else [[1000, log_start]]}


def topic(*log_ends, id=TOPIC_ID):
    return {"id": id, "partitions": {n: partition(end) for n, end in enumerate(log_ends)}}


def offsets_text(offsets, planned_at=None):
    """offsets/N as Spark writes it: `offsets` is {topic: {partition: offset}}."""
    planned_at = now_ms() - 60_000 if planned_at is None else planned_at
    metadata = {"batchWatermarkMs": 0, "batchTimestampMs": planned_at, "conf": {}}
    return f"v1\n{json.dumps(metadata)}\n{json.dumps(offsets)}"


class Scene:
    def __init__(self, binary: Path, directory: Path):
        self.binary = binary
        self.directory = directory
        self.config_file = directory / "tidegauge.yaml"
        self.kafka_file = directory / "kafka.yaml"
        self.state = directory / "state"
        self.queries = []
        self.settings = {}
        self.clusters = [{"name": "main", "replay_file": str(self.kafka_file)}]
        self.daemons = []
        self.kafka({})

    # ------------------------------------------------------------------ what there is

    def kafka(self, topics, cluster_id="lab"):
        """Replaced at once: a poll sees the old answers or the new ones, never half of them."""
        fresh = self.kafka_file.with_suffix(".new")
        fresh.write_text(json.dumps({"cluster_id": cluster_id, "topics": topics}))
        fresh.rename(self.kafka_file)

    def checkpoint(self, name, *batches, committed=True, watched=True):
        """`batches`: {topic: {partition: offset}} each, or the text of the file."""
        path = self.directory / "checkpoints" / name
        for log in ("offsets", "commits"):
            (path / log).mkdir(parents=True, exist_ok=True)
        (path / "metadata").write_text('{"id":"11111111-2222-3333-4444-555555555555"}')
        for batch, offsets in enumerate(batches):
            self.batch(path, batch, offsets, committed or batch < len(batches) - 1)
        if watched:
            self.queries.append({"name": name, "checkpoint": str(path)})
        return path

    @staticmethod
    def batch(path, batch, offsets, committed=True):
        text = offsets if isinstance(offsets, str) else offsets_text(offsets)
        (path / "offsets" / str(batch)).write_text(text)
        if committed:
            (path / "commits" / str(batch)).write_text('v1\n{"nextBatchWatermarkMs":0}')

    def healthy(self, name="healthy"):
        """A query with nothing to say about it, and its topic."""
        self.kafka({"t": topic(10)})
        return self.checkpoint(name, {"t": {"0": 5}})

    def unknown(self, name):
        """A query that cannot be judged: its directory may be no checkpoint at all."""
        path = self.directory / "checkpoints" / name
        path.mkdir(parents=True)
        self.queries.append({"name": name, "checkpoint": str(path)})

    def recreated(self, name="recreated"):
        """A query whose topic proves, by its stamps, to be another one than the query read."""
        self.kafka({"t": {"id": TOPIC_ID, "timestamp_type": "LogAppendTime",
                          "partitions": {0: partition(800, by_time=[[now_ms() - 1000, 0]])}}})
        return self.checkpoint(name, {"t": {"0": 500}})

    def configure(self, **settings):
        """JSON is YAML."""
        self.settings.update(settings)
        self.config_file.write_text(json.dumps({
            "kafka": self.clusters, "queries": self.queries, "poll_interval": "100ms",
            "state_dir": str(self.state),
            "detectors": {kind: {"hold": "0s"} for kind in KINDS}, **self.settings}, indent=1))

    # ------------------------------------------------------------------ what is run

    def run(self, *arguments, **options):
        options = {"capture_output": True, "timeout": 30, "stdin": subprocess.DEVNULL,
                   "cwd": self.directory, **options}
        done = subprocess.run([self.binary, *map(str, arguments)], **options)
        for stream in ("stdout", "stderr"):
            if isinstance(getattr(done, stream), bytes):
                setattr(done, stream, getattr(done, stream).decode("utf-8"))
        return done

    def check(self, *arguments, **options):
        """The exit status and what the JSON says."""
        if not self.config_file.exists():
            self.configure()
        done = self.run("check", f"--config.file={self.config_file}", "--format=json", *arguments,
                        **options)
        assert done.stdout, f"exit status {done.returncode}: {done.stderr}"
        return done.returncode, json.loads(done.stdout)

    def daemon(self, *arguments, ready=True, **options):
        if not self.config_file.exists():
            self.configure()
        daemon = self.process([self.binary, f"--config.file={self.config_file}",
                               "--web.listen-address=127.0.0.1:0", *arguments], **options)
        if ready:
            daemon.wait_ready()
        return daemon

    def process(self, command, **options):
        """A daemon that is started in some other way, under the same care."""
        daemon = Daemon(command, self.directory / f"log.{len(self.daemons)}", **options)
        self.daemons.append(daemon)
        return daemon

    free_port = staticmethod(free_port)

    def end(self):
        for daemon in self.daemons:
            daemon.kill()
        # Tests make things unreadable. This follows no link: one may lead to a mount that hangs.
        subprocess.run(["chmod", "-R", "u+rwX", self.directory], check=False, capture_output=True)
        shutil.rmtree(self.directory, ignore_errors=True)


def reason_for(report, query):
    """Why the query is not judged whole; no reason fails."""
    reasons = [entry["reason"] for entry in report["unknown"] if entry.get("query") == query]
    states = [entry["state"] for entry in report["queries"] if entry["query"] == query]
    assert reasons, f"nothing is unknown of {query}, which is {states}"
    assert "ok" not in states
    return "; ".join(reasons)
