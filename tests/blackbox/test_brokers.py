"""Brokers that are down, silent or talk nonsense: unknown in time, and no others suffer."""

import contextlib
import socket
import threading
import time

import pytest
from scenes.daemon import wait_until
from scenes.scene import reason_for


@contextlib.contextmanager
def server(behave):
    """Something that listens and is no broker."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    connections = []
    over = threading.Event()

    def accept():
        while not over.is_set():
            with contextlib.suppress(OSError):
                connection, _ = listener.accept()
                connections.append(connection)
                threading.Thread(target=serve, args=(connection,), daemon=True).start()

    def serve(connection):
        with contextlib.suppress(OSError):
            behave(connection, over)

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield "127.0.0.1:%d" % listener.getsockname()[1]
    finally:
        over.set()
        listener.close()
        for connection in connections:
            connection.close()


def says_nothing(connection, over):
    while not over.is_set() and connection.recv(65536):
        pass


def says_garbage(connection, over):
    while not over.is_set() and connection.recv(65536):
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\nthis is no Kafka" * 20)


def says_a_huge_size(connection, over):
    while not over.is_set() and connection.recv(65536):
        connection.sendall(b"\x7f\xff\xff\xff" + b"\0" * 1000)


def says_one_byte_at_a_time(connection, over):
    if connection.recv(65536):
        while not over.is_set():
            connection.sendall(b"\0")
            time.sleep(0.05)


def hangs_up(connection, over):
    connection.close()


BEHAVIOURS = [None, says_nothing, says_garbage, says_a_huge_size, says_one_byte_at_a_time, hangs_up]


def name_of(behave):
    return behave.__name__ if behave else "is_down"


@pytest.fixture(params=BEHAVIOURS, ids=name_of)
def address(request, scene):
    if request.param is None:
        yield f"127.0.0.1:{scene.free_port()}"
        return
    with server(request.param) as address:
        yield address


def beside_a_healthy_one(scene, address, timeout="500ms"):
    scene.healthy()
    scene.queries[0]["kafka"] = "main"
    scene.clusters.append({"name": "broken", "bootstrap_servers": address, "timeout": timeout})
    scene.checkpoint("q", {"t": {"0": 5}})
    scene.queries[-1]["kafka"] = "broken"
    scene.configure()


def test_its_queries_are_unknown_with_a_reason_and_others_are_judged(scene, address):
    beside_a_healthy_one(scene, address)
    daemon = scene.daemon()
    assert daemon.state_of("healthy") == "ok"
    assert "broken" in reason_for(daemon.report(), "q")
    assert daemon.metric('tidegauge_kafka_up{kafka_cluster="broken"}') == 0
    assert daemon.metric('tidegauge_kafka_up{kafka_cluster="main"}') == 1
    assert 'tidegauge_lag_records{query="q"' not in daemon.metrics()
    assert daemon.slow_answers(seconds=0.2)[0] < 0.1
    started = time.monotonic()
    assert daemon.stop() == 0
    assert time.monotonic() - started < 5


def test_check_ends_in_time_with_unknown(scene, address):
    beside_a_healthy_one(scene, address)
    started = time.monotonic()
    status, report = scene.check()
    assert time.monotonic() - started < 6
    assert status == 3
    assert {q["query"]: q["state"] for q in report["queries"]} == {"healthy": "ok", "q": "unknown"}


def test_the_reason_says_what_is_wrong_with_the_connection(scene):
    beside_a_healthy_one(scene, f"127.0.0.1:{scene.free_port()}")
    _, report = scene.check()
    assert "refused" in reason_for(report, "q").lower()


def test_a_host_that_does_not_exist_is_named(scene):
    beside_a_healthy_one(scene, "no-such-host.invalid:9092")
    _, report = scene.check()
    assert "no-such-host.invalid" in reason_for(report, "q")


def test_a_daemon_ends_at_once_although_a_cluster_has_minutes_to_answer(scene):
    with server(says_nothing) as address:
        beside_a_healthy_one(scene, address, timeout="5m")
        daemon = scene.daemon(ready=False)
        daemon.wait_log("listening")
        time.sleep(0.3)
        started = time.monotonic()
        assert daemon.stop() == 0
        assert time.monotonic() - started < 5


def test_a_reload_away_from_a_silent_cluster_does_not_stop_the_pages(scene):
    with server(says_nothing) as address:
        beside_a_healthy_one(scene, address, timeout="2s")
        daemon = scene.daemon("--web.enable-lifecycle")
        scene.clusters.pop()
        scene.queries.pop()
        scene.configure()
        assert daemon.get("/-/reload", method="POST")[0] == 200
        slow, slowest = daemon.slow_answers(seconds=1)
        assert slow < 0.1 and slowest < 0.5
        wait_until(lambda: daemon.state_of("q") is None, "the query is gone")
        assert daemon.stop() == 0
