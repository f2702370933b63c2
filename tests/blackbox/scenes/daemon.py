"""A running daemon: its log, its pages, its end."""

import contextlib
import json
import os
import re
import signal
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

from servers.server import PATIENCE, wait_until


class Daemon:
    def __init__(self, command, log, **options):
        self.log_file = log
        with open(log, "wb") as errors:
            self.process = subprocess.Popen([str(part) for part in command], stderr=errors,
                                            stdin=subprocess.DEVNULL, **options)
        self._address = None

    @property
    def pid(self):
        return self.process.pid

    def log(self):
        return self.log_file.read_text(encoding="utf-8")

    def wait_log(self, text, count=1):
        """The log, once it holds `text` that often."""
        end = time.monotonic() + PATIENCE
        while self.log().count(text) < count:
            assert self.running() or self.log().count(text) >= count, f"it ended:\n{self.log()}"
            assert time.monotonic() < end, f"no '{text}' in:\n{self.log()}"
            time.sleep(0.02)
        return self.log()

    @property
    def address(self):
        if self._address is None:
            log = self.wait_log("listening")
            self._address = re.search(r"listening\W+address\W+([0-9.:\[\]]+:\d+)", log)[1]
        return self._address

    def serves_on(self, address):
        """For one whose log cannot be read."""
        self._address = address
        wait_until(self.answers, "answers")

    def answers(self):
        try:
            return self.get("/-/healthy")[0] == 200
        except OSError:
            return False

    def opened(self, descriptor):
        return os.readlink(f"/proc/{self.pid}/fd/{descriptor}")

    def get(self, path, method="GET", timeout=5, headers=None):
        """Status and body."""
        request = urllib.request.Request(f"http://{self.address}{path}", method=method,
                                         headers=headers or {})
        try:
            with urllib.request.urlopen(request, timeout=timeout) as answer:
                return answer.status, answer.read().decode("utf-8")
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode("utf-8")

    def metrics(self):
        status, text = self.get("/metrics")
        assert status == 200
        return text

    def metric(self, series):
        """The value of a series as it is written, None if it is absent."""
        for line in self.metrics().splitlines():
            if line.startswith(series + " "):
                return float(line.rsplit(" ", 1)[1])
        return None

    def polls(self):
        return self.metric("tidegauge_polls_total") or 0

    def report(self):
        """/api/v1/queries and /api/v1/findings of one poll."""
        while True:
            queries, findings = (json.loads(self.get(f"/api/v1/{what}")[1])
                                 for what in ("queries", "findings"))
            if queries["polled_at"] == findings["polled_at"]:
                return {**queries, **findings}

    def state_of(self, query):
        for entry in self.report()["queries"]:
            if entry["query"] == query:
                return entry["state"]
        return None

    def wait_ready(self):
        wait_until(lambda: self.get("/-/ready")[0] == 200, "ready")
        return self

    def wait_polls(self, more=2):
        """Until what holds now has been seen by a whole poll."""
        before = self.polls()
        wait_until(lambda: self.polls() >= before + more, "polls")

    def running(self):
        return self.process.poll() is None

    def send(self, number):
        self.process.send_signal(number)

    def stop(self, number=signal.SIGTERM, patience=5):
        self.send(number)
        return self.process.wait(patience)

    def is_over(self):
        """Whether the process has ended, but for threads that the kernel cannot end: those that wait for
        the answer of a file system in user space end with that alone."""
        if self.process.poll() is not None:
            return True
        states = set()
        for thread in os.listdir(f"/proc/{self.pid}/task"):
            with contextlib.suppress(OSError):  # it has just ended
                stat = Path(f"/proc/{self.pid}/task/{thread}/stat").read_text()
                states.add(stat.rsplit(")", 1)[1].split()[0])
        return "Z" in states and states <= {"Z", "X", "D"}

    def kill(self):
        if not self.is_over():
            self.process.kill()
            wait_until(self.is_over, "the end")

    def slow_answers(self, seconds):
        """How long the slow ones of /metrics took, meanwhile: (all but one in twenty within, worst)."""
        took = []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            started = time.monotonic()
            self.metrics()
            took.append(time.monotonic() - started)
            time.sleep(0.01)
        took.sort()
        return took[len(took) * 19 // 20], took[-1]
