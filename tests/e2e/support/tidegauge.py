"""The program under test: its daemon, and its commands."""

import json
import re
import signal
import subprocess
import urllib.error
import urllib.request
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from support.process import Process, free_ports, wait_until

KINDS = ("topic_recreated", "records_skipped", "end_below_checkpoint", "topic_missing",
         "partition_missing", "records_expired", "retention_headroom_low",
         "new_partition_not_from_start", "cluster_changed", "source_offsets_empty",
         "partition_dropped", "sink_log_missing", "sink_log_gap", "compaction_will_fail",
         "sink_log_unreadable", "sink_ahead_of_checkpoint", "compact_log_large",
         "compact_interval_changed", "offset_log_gap", "offset_log_unreadable",
         "commit_log_unreadable", "log_version_unsupported", "offsets_missing", "query_id_missing",
         "query_id_changed", "checkpoint_restarted", "checkpoint_missing", "checkpoint_empty",
         "source_count_changed", "checkpoint_shared", "batch_stuck", "query_stalled",
         "sink_file_missing", "sink_file_truncated", "sink_orphan_files", "sink_path_outside_root",
         "sink_small_files")

EXIT_OK, EXIT_WARNING, EXIT_CRITICAL, EXIT_UNKNOWN = 0, 1, 2, 3


POLL_INTERVAL = 0.5  # in seconds


def configuration(kafka, queries, state_dir, detectors, more):
    """`queries`: {name or pattern: checkpoint or pattern, or all the entry's settings}.
    `detectors`: {kind: settings}, of which those of KINDS hold at once. `more`: any other settings.
    JSON is YAML."""
    return json.dumps({
        "kafka": [{"name": "main", "bootstrap_servers": kafka, "timeout": "3s"}],
        "queries": [{"name": name, "kafka": "main",
                     **(entry if isinstance(entry, dict) else {"checkpoint": str(entry)})}
                    for name, entry in queries.items()],
        "poll_interval": f"{POLL_INTERVAL * 1000:.0f}ms",
        "state_dir": str(state_dir),
        "detectors": {kind: {"hold": "0s"} for kind in KINDS} | detectors,
        **more,
    }, indent=1)


class Configured:
    """A configuration and a state directory, and the commands that work on them."""

    def __init__(self, binary: Path, directory: Path, kafka, queries, detectors=None, **more):
        directory.mkdir(parents=True)
        self.binary = binary
        self._kafka = kafka
        self._detectors = detectors or {}
        self._more = more
        self.state = directory / "state"
        self.state.mkdir()
        self.config = directory / "tidegauge.yaml"
        self.configure(queries)

    def configure(self, queries):
        self.config.write_text(configuration(self._kafka, queries, self.state, self._detectors,
                                              self._more))

    def command(self, name, *arguments):
        return subprocess.run(
            [self.binary, name, *arguments, f"--config.file={self.config}"],
            capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)

    def check(self):
        done = self.command("check", f"--state.dir={self.state}", "--format=json")
        try:
            return Check(done.returncode, json.loads(done.stdout))
        except ValueError:
            raise AssertionError(f"check ended with {done.returncode} and said\n{done.stdout}\n"
                                 f"{done.stderr}") from None

    def acknowledge(self, finding, who, why):
        done = self.command("ack", finding["kind"], finding["query"], f"--topic={finding['topic']}",
                            f"--who={who}", f"--why={why}")
        assert done.returncode == EXIT_OK, done.stderr


@dataclass
class Check:
    status: int
    report: dict

    @property
    def findings(self):
        return self.report["findings"]

    @property
    def unknown(self):
        return self.report["unknown"]


class Daemon(Configured):
    def __init__(self, binary: Path, directory: Path, kafka, queries, detectors=None, flags=(),
                 **more):
        super().__init__(binary, directory, kafka, queries, detectors, **more)
        (self.port,) = free_ports(1)
        self._process = Process(
            [binary, f"--config.file={self.config}", f"--web.listen-address=127.0.0.1:{self.port}",
             *flags], directory / "tidegauge.log")

    @property
    def log(self):
        return self._process.log

    def start(self):
        self._process.start()
        wait_until(self._ready, lambda: f"the daemon is ready:\n{self._process.tail()}", 30)

    def stop(self):
        status = self._process.end()
        assert status in (0, None), f"the daemon ended with {status}:\n{self._process.tail()}"

    def kill(self):
        self._process.end(signal.SIGKILL)

    def _ready(self):
        assert self._process.running, f"the daemon ended:\n{self._process.tail()}"
        try:
            self.get("/-/ready")
            return True
        except (urllib.error.URLError, ConnectionError):
            return False

    def get(self, path):
        assert self._process.running, f"the daemon ended:\n{self._process.tail()}"
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
            return answer.read().decode()

    def metric(self, name, **labels):
        """The value of the one series with these labels; None: there is none."""
        values = [value for has_name, has, value in parse_metrics(self.get("/metrics"))
                  if has_name == name and labels.items() <= has.items()]
        assert len(values) <= 1, f"{name} {labels} is not one series: {values}"
        return values[0] if values else None

    def findings(self, query=None):
        """What fires, of one query or of all."""
        return [f for f in json.loads(self.get("/api/v1/findings"))["findings"]
                if f.get("phase", "firing") == "firing" and query in (None, f["query"])]

    def ever_found(self):
        """What its log says of findings that began to fire."""
        return [line for line in self.log.read_text().splitlines() if " kind=" in line]

    def pending(self, query):
        return [f for f in json.loads(self.get("/api/v1/findings"))["findings"]
                if f.get("phase") == "pending" and f["query"] == query]

    def query(self, name):
        for query in json.loads(self.get("/api/v1/queries"))["queries"]:
            if query["query"] == name:
                return query
        return None

    def wait_polls(self, count=1):
        """Until polls that began after this call have ended."""
        for _ in range(count):
            now = datetime.now(timezone.utc)
            wait_until(lambda: self.polled_at() > now, "the daemon polls", 30)

    def polled_at(self):
        text = json.loads(self.get("/api/v1/findings"))["polled_at"]
        return datetime.fromisoformat(text.replace("Z", "+00:00"))

    def wait_for(self, kind, query, topic=None, timeout=15.0, **fields):
        """The finding of this kind, once it fires and has these fields."""
        def found():
            for finding in self.findings(query):
                if finding["kind"] == kind and topic in (None, finding.get("topic")) and \
                        all(finding.get(name) == value for name, value in fields.items()):
                    return finding
            return None
        return wait_until(found, lambda: f"{kind} {fields or ''} on {query}; there is "
                          f"{json.dumps(self.findings(query))}; {self.query(query)}", timeout)

    def wait_gone(self, kind, query, timeout=15.0):
        wait_until(lambda: kind not in {f["kind"] for f in self.findings(query)},
                   lambda: f"{kind} on {query} ends; there is {self.findings(query)}", timeout)

    def wait_state(self, name, states, timeout=30.0):
        wait_until(lambda: (self.query(name) or {}).get("state") in states,
                   lambda: f"{name} is {states}; it is {self.query(name)}", timeout)


SAMPLE = re.compile(r'^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$')
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


def parse_metrics(text):
    """[(name, labels, value)] of the text format; escapes in label values stay as they are."""
    samples = []
    for line in text.splitlines():
        if line and not line.startswith("#"):
            name, labels, value = SAMPLE.match(line).groups()
            samples.append((name, dict(LABEL.findall(labels or "")), float(value)))
    return samples
