"""What systemd hears of the daemon, and when."""

import signal
import time

import pytest
from scenes.frozen_thread import frozen_thread
from scenes.supervisor import Supervisor
from servers.server import wait_until


@pytest.fixture
def supervisor(tmp_path):
    supervisor = Supervisor(tmp_path)
    yield supervisor
    supervisor.close()


def test_it_hears_of_start_polls_reload_and_end(scene, supervisor):
    scene.recreated()
    scene.configure()
    daemon = scene.daemon(env=supervisor.environment())
    supervisor.wait("READY=1")
    assert daemon.get("/-/healthy")[0] == 200
    supervisor.wait("STATUS=1 critical")
    daemon.send(signal.SIGHUP)
    supervisor.wait("READY=1", count=2)
    said = [line for line in supervisor.heard if not line.startswith("STATUS")]
    assert said[0] == "READY=1" and said[2] == "READY=1"
    assert said[1].startswith("RELOADING=1\nMONOTONIC_USEC=")
    assert abs(int(said[1].split("=")[2]) / 1e6 - time.monotonic()) < 60
    assert daemon.stop() == 0
    assert supervisor.listen()[-1] == "STOPPING=1"
    assert supervisor.count("WATCHDOG") == 0


def test_a_reload_that_fails_is_over_too(scene, supervisor):
    scene.healthy()
    daemon = scene.daemon(env=supervisor.environment())
    scene.config_file.write_text("nonsense")
    daemon.send(signal.SIGHUP)
    supervisor.wait("RELOADING=1")
    supervisor.wait("READY=1", count=2)
    assert daemon.stop() == 0


def test_it_is_not_ready_with_a_configuration_that_is_wrong(scene, supervisor):
    scene.healthy()
    scene.configure(poll_interval="never")
    daemon = scene.daemon(ready=False, env=supervisor.environment())
    assert daemon.process.wait(5) == 78
    assert supervisor.listen() == []


def test_it_is_ready_while_kafka_is_down(scene, supervisor):
    scene.healthy()
    scene.kafka_file.unlink()
    daemon = scene.daemon(env=supervisor.environment())
    supervisor.wait("READY=1")
    assert daemon.metric('tidegauge_kafka_up{kafka_cluster="main"}') == 0


def test_the_watchdog_is_fed_while_the_polls_move_and_starves_when_they_stop(scene, supervisor):
    scene.healthy()
    scene.clusters[0]["timeout"] = "100ms"
    scene.configure(read_timeout="100ms")
    daemon = scene.daemon(env=supervisor.environment(watchdog_ms=400))
    supervisor.wait("WATCHDOG=1", count=3)
    with frozen_thread(daemon.pid, "poll"):
        # The longest possible poll is over after half a minute.
        wait_until(lambda: daemon.get("/-/healthy")[0] == 503, "unhealthy", patience=45)
        supervisor.listen()
        fed = supervisor.count("WATCHDOG=1")
        time.sleep(1)
        assert supervisor.count("WATCHDOG=1") == fed
    supervisor.wait("WATCHDOG=1", count=fed + 1)
    assert daemon.get("/-/healthy")[0] == 200
    assert daemon.stop() == 0
