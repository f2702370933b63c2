"""What systemd hears of the daemon, and when."""

import signal
import time

import pytest
from scenes.frozen_thread import frozen_thread
from scenes.service_manager import ServiceManager
from servers.server import wait_until


@pytest.fixture
def manager(tmp_path):
    manager = ServiceManager(tmp_path)
    yield manager
    manager.close()


def test_it_hears_of_start_polls_reload_and_end(scene, manager):
    scene.recreated()
    scene.configure()
    daemon = scene.daemon(env=manager.environment())
    manager.wait("READY=1")
    assert daemon.get("/-/healthy")[0] == 200
    manager.wait("STATUS=1 critical")
    daemon.send(signal.SIGHUP)
    manager.wait("READY=1", count=2)
    said = [line for line in manager.heard if not line.startswith("STATUS")]
    assert said[0] == "READY=1" and said[2] == "READY=1"
    assert said[1].startswith("RELOADING=1\nMONOTONIC_USEC=")
    assert abs(int(said[1].split("=")[2]) / 1e6 - time.monotonic()) < 60
    assert daemon.stop() == 0
    assert manager.listen()[-1] == "STOPPING=1"
    assert manager.count("WATCHDOG") == 0


def test_a_reload_that_fails_is_over_too(scene, manager):
    scene.healthy()
    daemon = scene.daemon(env=manager.environment())
    scene.config_file.write_text("nonsense")
    daemon.send(signal.SIGHUP)
    manager.wait("RELOADING=1")
    manager.wait("READY=1", count=2)
    assert daemon.stop() == 0


def test_it_is_not_ready_with_a_configuration_that_is_wrong(scene, manager):
    scene.healthy()
    scene.configure(poll_interval="never")
    daemon = scene.daemon(ready=False, env=manager.environment())
    assert daemon.process.wait(5) == 78
    assert manager.listen() == []


def test_it_is_ready_while_kafka_is_down(scene, manager):
    scene.healthy()
    scene.kafka_file.unlink()
    daemon = scene.daemon(env=manager.environment())
    manager.wait("READY=1")
    assert daemon.metric('tidegauge_kafka_up{kafka_cluster="main"}') == 0


def test_the_watchdog_is_fed_while_the_polls_move_and_starves_when_they_stop(scene, manager):
    scene.healthy()
    scene.clusters[0]["timeout"] = "100ms"
    scene.configure(read_timeout="100ms")
    daemon = scene.daemon(env=manager.environment(watchdog_ms=400))
    manager.wait("WATCHDOG=1", count=3)
    with frozen_thread(daemon.pid, "poll"):
        # The longest possible poll is over after half a minute.
        wait_until(lambda: daemon.get("/-/healthy")[0] == 503, "unhealthy", patience=45)
        manager.listen()
        fed = manager.count("WATCHDOG=1")
        time.sleep(1)
        assert manager.count("WATCHDOG=1") == fed
    manager.wait("WATCHDOG=1", count=fed + 1)
    assert daemon.get("/-/healthy")[0] == 200
    assert daemon.stop() == 0
