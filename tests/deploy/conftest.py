import json
import re
import shutil
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "deploy/prometheus/tidegauge.rules.yml"
CONFIG = ROOT / "deploy/alertmanager/alertmanager.yml"
PATIENCE = 20.0  # the machine may be busy


@pytest.fixture(scope="session")
def groups():
    """The rule groups, by name."""
    return {group["name"]: group["rules"] for group in yaml.safe_load(RULES.read_text())["groups"]}


@pytest.fixture(scope="session")
def alerts(groups):
    """All alert rules."""
    return [rule for rules in groups.values() for rule in rules if "alert" in rule]


class Alertmanager:
    """A real one on loopback, with the shipped configuration."""

    def __init__(self, directory):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        config = directory / "alertmanager.yml"
        # Nobody but this test shall hear of it.
        config.write_text(CONFIG.read_text().replace("127.0.0.1:5001", "127.0.0.1:9"))
        binary = shutil.which("prometheus-alertmanager") or shutil.which("alertmanager")
        assert binary, "no alertmanager: deploy/install-deps test"
        self.log = directory / "log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [binary, f"--config.file={config}", f"--storage.path={directory / 'data'}",
                 f"--web.listen-address=127.0.0.1:{self.port}", "--cluster.listen-address="],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL)

    def ask(self, path, body=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", headers={"Content-Type": "application/json"},
            data=None if body is None else json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=5) as answer:
            return answer.read().decode()

    def wait_until(self, holds, what):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            assert self.process.poll() is None, self.log.read_text()
            try:
                if holds():
                    return
            except OSError:
                pass
            time.sleep(0.05)
        raise AssertionError(f"{what}: not within {PATIENCE} s\n{self.log.read_text()}")

    def post(self, alerts):
        self.ask("/api/v2/alerts", [{"labels": labels} for labels in alerts])

    def inhibited(self):
        """Label sets of the alerts that are there, each with whether it is inhibited."""
        return [(alert["labels"], bool(alert["status"]["inhibitedBy"]))
                for alert in json.loads(self.ask("/api/v2/alerts"))]


@pytest.fixture(scope="module")
def alertmanager(tmp_path_factory):
    manager = Alertmanager(tmp_path_factory.mktemp("alertmanager"))
    try:
        manager.wait_until(lambda: manager.ask("/-/ready"), "ready")
        yield manager
    finally:
        manager.process.kill()
        manager.process.wait()


@pytest.fixture(scope="session")
def named_in_config():
    """Names of alerts in the inhibition rules, patterns left out."""
    return set(re.findall(r"\bTidegauge\w+\b(?![.])", CONFIG.read_text()))
