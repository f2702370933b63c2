"""The state directory: shared, stolen, broken, full, killed."""

import contextlib
import json
import os
import resource
import signal
import socket
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest
from scenes.daemon import wait_until
from scenes.scene import OTHER_ID, TOPIC_ID, now_ms, partition, topic

FAILURE, UNKNOWN = 1, 3


def database(scene):
    return scene.state / "tidegauge.db"


def start(scene):
    """Starts a daemon that is expected not to come up."""
    return scene.run(f"--config.file={scene.config_file}", "--web.listen-address=127.0.0.1:0")


def execute(file, sql):
    """The first value that the state file answers."""
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        return (connection.execute(sql).fetchone() or [None])[0]


def refused(scene, *told):
    """Neither the daemon nor check goes on, and both say why."""
    for done, status in ((start(scene), FAILURE),
                         (scene.run("check", f"--config.file={scene.config_file}",
                                    f"--state.dir={scene.state}"), UNKNOWN)):
        assert done.returncode == status, done.stderr
        for word in told:
            assert word in done.stderr
    return True


@pytest.fixture
def remembered(scene):
    """A state directory in which a topic is remembered."""
    scene.healthy()
    scene.configure()
    assert scene.check(f"--state.dir={scene.state}")[0] == 0
    return scene


def test_what_was_learnt_is_remembered_from_check_to_check(remembered):
    remembered.kafka({"t": topic(800, id=OTHER_ID)})
    status, report = remembered.check(f"--state.dir={remembered.state}")
    assert status == 2
    assert [finding["kind"] for finding in report["findings"]] == ["topic_recreated"]
    assert report["findings"][0]["evidence"][0] == "topic_id"


@pytest.mark.parametrize("damage, told", [
    (lambda file: file.write_bytes(b""), "mv "),
    (lambda file: file.write_bytes(b"no database" * 1000), "mv "),
    (lambda file: file.write_bytes(file.read_bytes()[:5000]), "mv "),
    (lambda file: file.write_bytes(file.read_bytes()[:4096] + b"\xaa" * 8192), "mv "),
    (lambda file: execute(file, "PRAGMA user_version = 99"), "newer"),
    (lambda file: execute(file, "PRAGMA application_id = 5"), "not a state file of tidegauge"),
], ids=["empty", "foreign", "cut", "overwritten", "newer", "another program's"])
def test_a_state_file_that_cannot_be_used_is_refused_with_what_to_do(remembered, damage, told):
    damage(database(remembered))
    content = database(remembered).read_bytes()
    assert refused(remembered, str(database(remembered)), told, "mv ")
    assert database(remembered).read_bytes() == content


def test_a_state_directory_that_is_none_is_refused(scene):
    scene.healthy()
    scene.state.write_text("a file")
    scene.configure()
    assert refused(scene, str(scene.state), "not a directory")


def test_a_state_directory_whose_parent_is_missing_is_refused(scene):
    scene.healthy()
    scene.state = scene.directory / "no" / "such"
    scene.configure()
    assert refused(scene, str(scene.state), "make the directory above it first")


def test_a_state_directory_that_may_not_be_written_is_refused(scene, as_nobody):
    scene.healthy()
    scene.state.mkdir(mode=0o555)
    scene.configure()
    for arguments, status in ((["--web.listen-address=127.0.0.1:0"], FAILURE),
                              (["check", f"--state.dir={scene.state}"], UNKNOWN)):
        done = as_nobody(*arguments, f"--config.file={scene.config_file}")
        assert done.returncode == status, done.stderr
        assert str(scene.state) in done.stderr and "or as root" in done.stderr


def test_a_second_daemon_on_one_state_directory_is_refused(scene):
    scene.healthy()
    daemon = scene.daemon()
    done = start(scene)
    assert done.returncode == FAILURE
    assert f"process {daemon.pid}" in done.stderr and str(scene.state) in done.stderr
    assert daemon.stop() == 0


def test_a_port_that_is_taken_is_told_with_the_way_out(scene):
    scene.healthy()
    first = scene.daemon()
    done = scene.run(f"--config.file={scene.config_file}", f"--state.dir={scene.directory}/other",
                     f"--web.listen-address={first.address}")
    assert done.returncode == FAILURE
    assert first.address in done.stderr and "--web.listen-address" in done.stderr


def test_check_beside_a_daemon_uses_a_copy_and_changes_nothing(scene):
    scene.healthy()
    daemon = scene.daemon()
    daemon.wait_polls()
    scene.kafka({"t": topic(800, id=OTHER_ID)})
    done = scene.run("check", f"--config.file={scene.config_file}", f"--state.dir={scene.state}")
    assert done.returncode == 2
    assert "topic_recreated" in done.stdout
    assert "copy" in done.stderr and f"process {daemon.pid}" in done.stderr
    assert "Nothing is kept" in done.stdout
    assert daemon.stop() == 0


def skipped(scene):
    """A query that passed, while it was watched, over the records of a recreated topic."""
    path = scene.healthy("q")
    daemon = scene.daemon()
    daemon.wait_polls()
    scene.kafka({"t": topic(300, id=OTHER_ID)})
    daemon.wait_polls()
    scene.batch(path, 1, {"t": {"0": 300}})
    wait_until(lambda: "records_skipped" in {f["kind"] for f in daemon.report()["findings"]},
               "records_skipped")
    return daemon


def test_an_acknowledgement_beside_the_daemon_holds_from_the_next_poll(scene):
    daemon = skipped(scene)
    done = scene.run("ack", f"--config.file={scene.config_file}", "records_skipped", "q",
                     "--why=backfilled", "--who=me")
    assert done.returncode == 0, done.stderr
    assert "acknowledged" in done.stdout
    daemon.wait_log("who=me")
    wait_until(lambda: "records_skipped" not in {f["kind"] for f in daemon.report()["findings"]},
               "no records_skipped")
    # It lasts: also after a restart.
    assert daemon.stop() == 0
    again = scene.daemon()
    again.wait_polls()
    assert "records_skipped" not in {f["kind"] for f in again.report()["findings"]}
    assert again.stop() == 0


def test_history_tells_what_happened_by_whom_and_why(scene):
    daemon = skipped(scene)
    assert scene.run("ack", f"--config.file={scene.config_file}", "records_skipped", "q",
                     "--why=backfilled", "--who=me").returncode == 0
    wait_until(lambda: "records_skipped" not in {f["kind"] for f in daemon.report()["findings"]},
               "no records_skipped")
    history = ["history", f"--config.file={scene.config_file}"]
    done = scene.run(*history, "q", "--format=json")
    assert done.returncode == 0, done.stderr
    events = json.loads(done.stdout)["history"]
    assert events == json.loads(daemon.get("/api/v1/history")[1])["history"]
    of_skip = [event for event in events if event["kind"] == "records_skipped"]
    assert [event["event"] for event in of_skip] == ["resolved", "acknowledged", "firing"]
    assert of_skip[1]["text"] == "by me: backfilled"
    assert of_skip[0]["firing_since"] == of_skip[2]["at"]
    lines = scene.run(*history, "q").stdout.splitlines()
    assert "resolved      records_skipped: query q, topic t" in lines[0]
    assert daemon.stop() == 0
    nobody = scene.run(*history, "nobody")
    assert nobody.returncode == FAILURE and "nobody" in nobody.stderr


def test_a_query_without_history_has_none_yet(remembered):
    done = remembered.run("history", f"--state.dir={remembered.state}", "healthy")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Nothing has happened to query healthy since it was first seen, ")


def test_an_acknowledgement_of_what_is_not_there_fails(scene):
    daemon = skipped(scene)
    for arguments in (["records_skipped", "nobody"], ["records_skipped", "q", "--topic=u"],
                      ["cluster_changed", "q"]):
        done = scene.run("ack", f"--config.file={scene.config_file}", *arguments, "--why=x")
        assert done.returncode == FAILURE
        assert arguments[0] in done.stderr and arguments[1] in done.stderr
    done = scene.run("ack", "--state.dir=/no/such", "records_skipped", "q", "--why=x")
    assert done.returncode == FAILURE and "/no/such" in done.stderr
    assert daemon.stop() == 0


def test_memory_survives_being_killed_during_polls(scene):
    path = scene.healthy("q")
    scene.configure()
    for round_number in range(8):
        daemon = scene.daemon(ready=False)
        daemon.wait_log("watching query")
        # Something new in every poll, so that most of them write.
        for batch in range(round_number * 3 + 1, round_number * 3 + 4):
            scene.batch(path, batch, {"t": {"0": 5 + batch}})
            scene.kafka({"t": topic(10 + batch)})
            time.sleep(0.013 * (round_number % 5))
        daemon.process.kill()
        daemon.process.wait()
        assert execute(database(scene), "PRAGMA integrity_check") == "ok"
    scene.kafka({"t": {"id": OTHER_ID, "partitions": {0: partition(800, by_time=[[now_ms(), 0]])}}})
    status, report = scene.check(f"--state.dir={scene.state}")
    assert status == 2
    [finding] = report["findings"]
    assert finding["kind"] == "topic_recreated" and "topic_id" in finding["evidence"]


class SmallDisk:
    """A daemon whose state directory is a small file system of its own, which can be filled."""

    def __init__(self, scene):
        scene.state.mkdir()
        user = [] if os.geteuid() == 0 else ["--map-root-user"]
        self.daemon = scene.process(
            ["unshare", "--mount", *user, "--", "sh", "-c",
             f'mount -t tmpfs -o size=512k none "{scene.state}" && exec "{scene.binary}" '
             f'--config.file="{scene.config_file}" --web.listen-address=127.0.0.1:0'])
        self.daemon.wait_ready()
        self._filler = Path(f"/proc/{self.daemon.pid}/root{scene.state}/filler")

    def fill(self):
        with pytest.raises(OSError), open(self._filler, "wb", buffering=0) as file:
            while True:
                file.write(b"x" * 4096)

    def clear(self):
        self._filler.unlink()


def test_a_full_state_directory_is_told_and_judging_goes_on_in_memory(scene):
    scene.healthy("q")
    scene.configure()
    disk = SmallDisk(scene)
    daemon = disk.daemon
    daemon.wait_polls()
    assert daemon.metric("tidegauge_state_persistent") == 1
    disk.fill()
    for number in range(40):
        scene.checkpoint(f"more{number}", {f"t{number}": {str(n): 5 for n in range(30)}})
    scene.kafka({"t": topic(10), **{f"t{n}": topic(*[10] * 30) for n in range(40)}})
    scene.configure()
    daemon.send(signal.SIGHUP)
    daemon.wait_log("cannot save what was learnt")
    wait_until(lambda: daemon.metric("tidegauge_state_persistent") == 0, "not persistent")
    assert daemon.metric('tidegauge_errors_total{reason="state"}') >= 1
    scene.kafka({"t": topic(800, id=OTHER_ID)})
    wait_until(lambda: "topic_recreated" in {f["kind"] for f in daemon.report()["findings"]},
               "topic_recreated from memory alone")
    assert daemon.log().count("cannot save what was learnt") <= 3, "once, not at every poll"
    disk.clear()
    daemon.wait_log("saved again")
    wait_until(lambda: daemon.metric("tidegauge_state_persistent") == 1, "persistent again")
    assert daemon.stop() == 0


def test_a_file_size_limit_is_a_full_disk_and_no_end(scene):
    scene.healthy("q")
    scene.configure()
    daemon = scene.daemon(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE,
                                                                (150_000, 150_000)))
    for number in range(40):
        scene.checkpoint(f"more{number}", {"t": {"0": 5}})
    scene.kafka({"t": topic(*[10] * 500)})
    scene.configure()
    daemon.send(signal.SIGHUP)
    daemon.wait_log("cannot save what was learnt")
    daemon.wait_polls()
    assert daemon.state_of("q") == "ok"
    assert daemon.stop() == 0


def test_a_state_file_that_somebody_locks_delays_nothing_for_long(scene):
    scene.healthy("q")
    daemon = scene.daemon()
    daemon.wait_polls()
    with contextlib.closing(sqlite3.connect(database(scene), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        scene.kafka({"t": topic(800, id=OTHER_ID)})
        daemon.wait_log("cannot save what was learnt")
        assert "locked" in daemon.log()
        assert daemon.get("/-/healthy")[0] == 200
        wait_until(lambda: daemon.state_of("q") == "findings", "a finding")
        other.execute("ROLLBACK")
    daemon.wait_log("saved again")
    assert daemon.stop() == 0


def test_more_clients_than_descriptors_stop_no_poll(scene):
    scene.healthy("q")
    daemon = scene.daemon(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40)))
    host, port = daemon.address.rsplit(":", 1)
    clients = []
    for _ in range(60):
        clients.append(socket.create_connection((host, int(port)), timeout=5))
    before = scene.state.joinpath("tidegauge.db-wal").stat().st_mtime_ns
    wait_until(lambda: scene.state.joinpath("tidegauge.db-wal").stat().st_mtime_ns > before, "a poll")
    for client in clients:
        client.close()
    wait_until(lambda: daemon.state_of("q") == "ok", "judged")
    daemon.wait_polls()
    assert daemon.stop() == 0


def test_a_state_directory_that_is_removed_is_told(scene):
    scene.healthy("q")
    daemon = scene.daemon()
    daemon.wait_polls()
    subprocess.run(["rm", "-rf", scene.state], check=True)
    daemon.wait_log("restart tidegauge")
    wait_until(lambda: daemon.metric("tidegauge_state_persistent") == 0, "not persistent")
    assert daemon.state_of("q") == "ok"
    assert daemon.stop() == 0


def test_nothing_is_remembered_is_told_at_the_first_start_only(scene):
    scene.healthy()
    first = scene.daemon()
    first.wait_polls()
    assert first.stop() == 0
    second = scene.daemon()
    second.wait_polls()
    assert second.stop() == 0
    assert "nothing is remembered yet" in first.log()
    assert "nothing is remembered yet" not in second.log()
    assert TOPIC_ID not in second.log()
