"""A mount that never answers costs its own queries, and no others."""

import os
import signal
import time

import pytest
from scenes.daemon import wait_until
from scenes.hung_mount import hung_mount
from scenes.scene import reason_for, topic


@pytest.fixture(scope="module")
def mount(tmp_path_factory):
    with hung_mount(tmp_path_factory.mktemp("hung") / "mount") as mount:
        yield mount


@pytest.fixture
def hung(scene, mount):
    """A query on the mount beside a healthy one."""
    scene.healthy()
    scene.queries.append({"name": "hung", "checkpoint": f"{mount}/checkpoint"})
    scene.configure(read_timeout="500ms")
    return scene


def ends_in_time(daemon):
    started = time.monotonic()
    daemon.send(15)
    wait_until(daemon.is_over, "the end", 5)
    return time.monotonic() - started < 5


def test_the_healthy_query_is_judged_on_time_and_the_hung_one_is_unknown(hung):
    daemon = hung.daemon()
    slow, slowest = daemon.slow_answers(seconds=1)
    assert slow < 0.1 and slowest < 0.5
    assert daemon.state_of("healthy") == "ok"
    assert "hung" in reason_for(daemon.report(), "hung")
    assert daemon.metric('tidegauge_checkpoint_up{query="hung"}') == 0
    assert daemon.metric('tidegauge_query_unknown{query="hung"}') == 1
    assert daemon.metric('tidegauge_checkpoint_up{query="healthy"}') == 1
    assert daemon.get("/-/healthy")[0] == 200
    # What happens to the healthy query is seen at the pace of polls.
    hung.kafka({"t": topic(3)})
    started = time.monotonic()
    wait_until(lambda: daemon.state_of("healthy") == "findings", "a finding")
    assert time.monotonic() - started < 2
    assert ends_in_time(daemon)


def test_the_end_during_the_first_poll_leaves_port_and_memory_to_the_next_start(hung):
    hung.configure(read_timeout="1m")
    port = hung.free_port()
    hung.configure(web={"listen_address": f"127.0.0.1:{port}"})
    command = [hung.binary, f"--config.file={hung.config_file}"]
    first = hung.process(command)
    first.wait_log("listening")
    time.sleep(0.3)
    assert ends_in_time(first)
    second = hung.process(command)
    second.serves_on(f"127.0.0.1:{port}")
    assert second.running()
    assert ends_in_time(second)


def test_check_ends_although_the_mount_hangs(hung):
    """Its output and exit status are complete; the kernel may keep the process until the mount ends."""
    output = open(hung.directory / "check.json", "w+")
    check = hung.process([hung.binary, "check", f"--config.file={hung.config_file}",
                          "--format=json"], stdout=output)
    wait_until(check.is_over, "the end", 10)
    text = (hung.directory / "check.json").read_text()
    assert '"query":"healthy","state":"ok"' in text
    assert '"query":"hung","state":"unknown"' in text


def test_many_hung_queries_do_not_use_up_the_readers(scene, mount):
    scene.healthy()
    for number in range(200):
        scene.queries.append({"name": f"hung{number}", "checkpoint": f"{mount}/{number}"})
    scene.configure(read_timeout="500ms")
    daemon = scene.daemon()
    report = daemon.report()
    states = {query["query"]: query["state"] for query in report["queries"]}
    assert states.pop("healthy") == "ok"
    assert len(states) == 200 and set(states.values()) == {"unknown"}
    daemon.wait_polls(5)
    assert len(os.listdir(f"/proc/{daemon.pid}/task")) < 60
    assert ends_in_time(daemon)


def test_a_pattern_whose_root_hangs_is_unknown_and_costs_no_other(scene, mount):
    scene.healthy()
    for number in range(20):
        scene.queries.append({"name": f"{number}-{{job}}", "checkpoint": f"{mount}/{number}/{{job}}"})
    scene.queries.append({"name": "{job}!", "checkpoint": f"{scene.directory}/checkpoints/{{job}}"})
    scene.configure(read_timeout="500ms")
    daemon = scene.daemon()
    daemon.wait_polls(3)
    report = daemon.report()
    assert {q["query"]: q["state"] for q in report["queries"]} == {"healthy": "ok", "healthy!": "ok"}
    assert len([entry for entry in report["unknown"] if str(mount) in entry["reason"]]) == 20
    assert daemon.metric("tidegauge_discovery_unknown") >= 20
    assert ends_in_time(daemon)


@pytest.mark.parametrize("pattern", ["{job}", "{job}/checkpoint"])
def test_a_pattern_over_a_hung_directory_still_finds_its_neighbours(scene, mount, pattern):
    scene.kafka({"t": topic(10)})
    roots = scene.directory / "jobs"
    for name in ("a", "z"):
        place = roots / pattern.replace("{job}", name)
        place.parent.mkdir(parents=True, exist_ok=True)
        scene.checkpoint(name, {"t": {"0": 5}}, watched=False).rename(place)
    (roots / "far").symlink_to(mount)
    scene.queries = [{"name": "{job}", "checkpoint": f"{roots}/{pattern}"}]
    scene.configure(read_timeout="2s")
    daemon = scene.daemon()
    report = daemon.report()
    states = {query["query"]: query["state"] for query in report["queries"]}
    assert states == {"a": "ok", "far": "unknown", "z": "ok"}
    assert "hung" in reason_for(report, "far")
    daemon.wait_polls(3)
    assert len(os.listdir(f"/proc/{daemon.pid}/task")) < 40
    assert ends_in_time(daemon)


@pytest.fixture
def daemon_of_hung_jobs(scene, mount):
    """Its pattern found the query q, and hangs since then."""
    path = scene.healthy("q")
    jobs = scene.directory / "jobs"
    jobs.symlink_to(path.parent)
    scene.queries = [{"name": "{job}", "checkpoint": f"{jobs}/{{job}}"}]
    scene.configure(read_timeout="500ms")
    daemon = scene.daemon()
    assert daemon.state_of("q") == "ok"

    fresh = scene.directory / "fresh"
    fresh.symlink_to(mount)
    fresh.rename(jobs)
    wait_until(lambda: daemon.state_of("q") == "unknown", "unknown")
    return daemon


def test_queries_of_a_pattern_that_begins_to_hang_stay_and_are_unknown(daemon_of_hung_jobs):
    daemon = daemon_of_hung_jobs
    assert daemon.metric('tidegauge_checkpoint_up{query="q"}') == 0
    assert daemon.metric("tidegauge_discovery_unknown") == 1
    assert ends_in_time(daemon)


@pytest.mark.parametrize("name, read_timeout", [("{job}", "400ms"), ("new-{job}", "500ms")])
def test_a_reload_forgets_no_query_below_a_mount_that_hangs(scene, daemon_of_hung_jobs, name, read_timeout):
    daemon = daemon_of_hung_jobs
    scene.queries[0]["name"] = name
    scene.configure(read_timeout=read_timeout)
    daemon.send(signal.SIGHUP)
    daemon.wait_log("configuration reloaded")
    daemon.wait_polls(2)
    assert daemon.state_of(name.format(job="q")) == "unknown"


def test_a_recording_on_a_hung_mount_is_an_unknown_cluster(scene, mount):
    scene.healthy()
    scene.clusters.append({"name": "far", "replay_file": f"{mount}/kafka.yaml", "timeout": "1s"})
    for query in scene.queries:
        query["kafka"] = "main"
    scene.configure(read_timeout="500ms")
    daemon = scene.daemon()
    wait_until(lambda: daemon.metric('tidegauge_kafka_up{kafka_cluster="far"}') == 0, "far is down")
    assert daemon.state_of("healthy") == "ok"
    daemon.wait_polls(3)
    assert ends_in_time(daemon)


def test_record_beside_a_hung_mount_ends(hung):
    record = hung.process([hung.binary, "record", f"--config.file={hung.config_file}",
                           f"--output={hung.directory}/recording"])
    wait_until(record.is_over, "the end", 10)
    assert "hung" in record.log()


def test_a_reload_of_a_file_that_hangs_delays_neither_polls_nor_the_end(scene, mount):
    scene.healthy()
    daemon = scene.daemon("--web.enable-lifecycle")
    scene.config_file.unlink()
    scene.config_file.symlink_to(mount / "tidegauge.yaml")
    with pytest.raises(TimeoutError):
        daemon.get("/-/reload", method="POST", timeout=1)
    daemon.send(signal.SIGHUP)
    daemon.wait_polls(3)
    slow, slowest = daemon.slow_answers(seconds=1)
    assert slow < 0.1 and slowest < 0.5
    assert ends_in_time(daemon)


@pytest.mark.parametrize("hangs", ["configuration", "memory", "door", "secret"])
def test_a_start_that_hangs_can_be_ended(scene, mount, hangs):
    scene.healthy()
    if hangs == "secret":
        scene.clusters = [{"name": "main", "bootstrap_servers": "127.0.0.1:1",
                           "properties_file": {"sasl.password": str(mount / "password")}}]
    scene.configure(**({"state_dir": f"{mount}/state"} if hangs == "memory" else {}))
    file = mount / "tidegauge.yaml" if hangs == "configuration" else scene.config_file
    door = [f"--web.config.file={mount}/web.yml"] if hangs == "door" else []
    daemon = scene.process([scene.binary, f"--config.file={file}", *door])
    time.sleep(0.5)
    assert daemon.running()
    assert ends_in_time(daemon)
