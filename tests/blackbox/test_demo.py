"""The demo: starts, shows every kind of reset, and leaves nothing behind."""

import json
import os
import signal
import time

import pytest
from scenes.daemon import wait_until

SHOWN = {"topic_recreated", "records_skipped", "end_below_checkpoint", "topic_missing",
         "records_expired", "new_partition_not_from_start", "partition_dropped"}


@pytest.fixture
def demo(scene, tmp_path):
    """Starts demos whose temporary directory is one of the test's."""
    temporary = tmp_path / "tmp"
    temporary.mkdir()

    def start():
        output = open(tmp_path / "demo.out", "w")
        return scene.process([scene.binary, "demo", "--web.listen-address=127.0.0.1:0"],
                             stdout=output, env={**os.environ, "TMPDIR": str(temporary)})
    start.temporary = temporary
    start.output = tmp_path / "demo.out"
    return start


def test_it_shows_what_it_promises_and_leaves_nothing_behind(demo):
    daemon = demo()
    daemon.wait_ready()
    wait_until(lambda: {f["kind"] for f in daemon.report()["findings"]} >= SHOWN, "every finding")
    report = daemon.report()
    assert "ok" in {query["state"] for query in report["queries"]}
    assert report["unknown"] == []
    text = demo.output.read_text()
    assert "Ctrl-C" in text and f"http://{daemon.address}/" in text
    for query in report["queries"]:
        assert query["query"] in text
    assert json.loads(daemon.get("/api/v1/queries")[1])
    assert list(demo.temporary.iterdir())
    assert daemon.stop(signal.SIGINT) == 0
    assert list(demo.temporary.iterdir()) == []


@pytest.mark.parametrize("delay", [0.02, 0.05, 0.1, 0.2, 0.4])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_it_starts_leaves_nothing_behind(demo, delay, number):
    daemon = demo()
    time.sleep(delay)
    assert daemon.stop(number) in (0, -number)
    assert list(demo.temporary.iterdir()) == []


def test_a_port_that_is_taken_leaves_nothing_behind(demo, scene):
    scene.healthy()
    other = scene.daemon()
    done = scene.run("demo", f"--web.listen-address={other.address}",
                     env={**os.environ, "TMPDIR": str(demo.temporary)})
    assert done.returncode == 1
    assert other.address in done.stderr
    assert list(demo.temporary.iterdir()) == []


def test_a_temporary_directory_that_is_not_there_is_told(scene):
    done = scene.run("demo", env={**os.environ, "TMPDIR": "/no/such/directory"})
    assert done.returncode == 1
    assert "/no/such/directory" in done.stderr
