"""Signals, reloads, and directories that come and go under a running daemon."""

import fcntl
import json
import os
import pty
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

from scenes.daemon import wait_until
from scenes.scene import topic


def test_a_signal_at_any_moment_of_the_start_ends_it_in_time(scene):
    """Before the program's main has begun, the kernel ends it; from then on, it ends in order."""
    scene.healthy()
    scene.configure()
    for delay in (0.0, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1):
        for number in (signal.SIGTERM, signal.SIGINT):
            daemon = scene.daemon(ready=False)
            time.sleep(delay)
            assert daemon.stop(number) in (0, -number)


def test_sigterm_and_sigint_end_a_running_daemon_with_0(scene):
    scene.healthy()
    for number in (signal.SIGTERM, signal.SIGINT):
        daemon = scene.daemon()
        assert daemon.stop(number) == 0
        assert "stopping" in daemon.log()


def test_a_good_reload_is_used_at_once_and_told(scene):
    scene.healthy()
    scene.configure(poll_interval="1h")
    daemon = scene.daemon()
    scene.checkpoint("second", {"t": {"0": 6}})
    scene.configure()
    daemon.send(signal.SIGHUP)
    wait_until(lambda: daemon.state_of("second") == "ok", "the second query")
    assert "configuration reloaded" in daemon.log()
    assert daemon.metric("tidegauge_config_last_reload_successful") == 1
    assert daemon.stop() == 0


def test_a_bad_reload_leaves_everything_as_it_is_and_names_the_mistakes(scene):
    scene.healthy()
    daemon = scene.daemon("--web.enable-lifecycle")
    before = daemon.metric("tidegauge_config_last_reload_success_timestamp_seconds")
    good = scene.config_file.read_text()
    scene.config_file.write_text(good.replace('"poll_interval"', '"poll_intervall"'))
    daemon.send(signal.SIGHUP)
    daemon.wait_log("not reloaded")
    assert "poll_intervall" in daemon.log()
    assert daemon.metric("tidegauge_config_last_reload_successful") == 0
    status, text = daemon.get("/-/reload", method="POST")
    assert status == 500 and "poll_intervall" in text
    scene.config_file.unlink()
    daemon.send(signal.SIGHUP)
    daemon.wait_log("not reloaded", count=3)
    daemon.wait_polls()
    assert daemon.state_of("healthy") == "ok"
    assert daemon.metric("tidegauge_config_last_reload_success_timestamp_seconds") == before
    scene.config_file.write_text(good)
    assert daemon.get("/-/reload", method="POST")[0] == 200
    assert daemon.metric("tidegauge_config_last_reload_successful") == 1
    assert daemon.stop() == 0


def test_reloading_over_http_must_be_enabled(scene):
    scene.healthy()
    daemon = scene.daemon()
    status, text = daemon.get("/-/reload", method="POST")
    assert status == 403 and "--web.enable-lifecycle" in text
    assert "reloaded" not in daemon.log()
    assert daemon.stop() == 0


def test_a_reload_says_which_settings_wait_for_a_restart(scene):
    scene.healthy()
    daemon = scene.daemon()
    scene.configure(state_dir=f"{scene.directory}/elsewhere")
    daemon.send(signal.SIGHUP)
    daemon.wait_log("configuration reloaded")
    assert re.search(r"next start.*state_dir", daemon.log())
    assert daemon.stop() == 0


def test_a_storm_of_reloads_does_no_harm(scene):
    scene.healthy()
    scene.clusters.append({"name": "down", "bootstrap_servers": "127.0.0.1:1", "timeout": "200ms"})
    scene.queries[0]["kafka"] = "main"
    daemon = scene.daemon("--web.enable-lifecycle")
    threads = len(os.listdir(f"/proc/{daemon.pid}/task"))
    for round_number in range(100):
        daemon.send(signal.SIGHUP)
        if round_number % 10 == 0:
            assert daemon.get("/-/reload", method="POST")[0] == 200
    daemon.wait_polls(3)
    wait_until(lambda: len(os.listdir(f"/proc/{daemon.pid}/task")) <= threads + 8,
               "the threads of old clients end")
    assert daemon.state_of("healthy") == "ok"
    assert daemon.stop() == 0


def test_the_hang_up_of_a_terminal_is_a_reload_and_no_end(scene):
    scene.healthy()
    scene.configure()
    master, slave = pty.openpty()
    daemon = scene.daemon(stdout=slave, start_new_session=True)
    os.close(slave)
    os.close(master)
    daemon.send(signal.SIGHUP)
    daemon.wait_log("configuration reloaded")
    daemon.wait_polls()
    assert daemon.stop() == 0


def test_a_log_that_nobody_reads_any_more_stops_nothing(scene):
    scene.healthy()
    port = scene.free_port()
    scene.configure(web={"listen_address": f"127.0.0.1:{port}"})
    reader, writer = os.pipe()
    daemon = scene.process(["bash", "-c", f'exec "{scene.binary}" '
                            f'--config.file="{scene.config_file}" 2>&{writer}'],
                           pass_fds=[writer])
    os.close(writer)
    os.close(reader)
    daemon.serves_on(f"127.0.0.1:{port}")
    daemon.send(signal.SIGHUP)
    daemon.wait_polls()
    assert daemon.stop() == 0


def test_a_query_that_goes_and_comes_is_followed(scene):
    path = scene.healthy("q")
    scene.queries = [{"name": "{job}", "checkpoint": f"{path.parent}/{{job}}"}]
    daemon = scene.daemon()
    assert daemon.state_of("q") == "ok"
    aside = scene.directory / "aside"
    path.rename(aside)
    wait_until(lambda: daemon.state_of("q") == "findings", "gone")
    assert daemon.metric('tidegauge_checkpoint_up{query="q"}') == 0
    [missing] = daemon.report()["findings"]
    assert (missing["kind"], missing["severity"]) == ("checkpoint_missing", "critical")
    assert "matched nothing" in json.dumps(daemon.report()["unknown"])
    aside.rename(path)
    wait_until(lambda: daemon.state_of("q") == "ok", "back")
    assert daemon.report()["findings"] == []
    assert daemon.stop() == 0


def test_a_checkpoint_that_is_made_anew_between_polls_is_judged_as_it_is_now(scene):
    path = scene.healthy("q")
    daemon = scene.daemon()
    assert daemon.report()["queries"][0]["position"] == {"t": {"0": 5}}
    shutil.rmtree(path)
    wait_until(lambda: daemon.state_of("q") == "findings", "missing")
    scene.checkpoint("q", {"t": {"0": 9}}, watched=False)
    wait_until(lambda: daemon.state_of("q") == "ok", "ok")
    assert daemon.report()["queries"][0]["position"] == {"t": {"0": 9}}
    for offset in range(10):
        shutil.rmtree(path)
        scene.checkpoint("q", {"t": {"0": offset}}, watched=False)
    daemon.wait_polls()
    assert daemon.report()["queries"][0]["position"] == {"t": {"0": 9}}
    assert daemon.report()["findings"] == []
    assert daemon.stop() == 0


def test_two_thousand_queries_are_polled_and_shown(scene):
    scene.kafka({"t": topic(10)})
    path = scene.checkpoint("q0000", {"t": {"0": 5}}, watched=False)
    for number in range(1, 2000):
        shutil.copytree(path, path.with_name(f"q{number:04}"))
    scene.queries = [{"name": "{job}", "checkpoint": f"{path.parent}/{{job}}"}]
    scene.configure(poll_interval="500ms")
    daemon = scene.daemon()
    assert daemon.metrics().count("tidegauge_checkpoint_up{") == 2000
    assert daemon.metric('tidegauge_query_unknown{query="q1999"}') == 0
    daemon.wait_polls(2)
    assert daemon.metric("tidegauge_poll_duration_seconds") < 5
    assert daemon.stop() == 0


def test_every_line_of_a_json_log_is_json(scene):
    scene.recreated("spaces and \"quotes\" and ü\\")
    torn = scene.checkpoint("torn", {"t": {"0": 5}})
    (torn / "offsets" / "0").write_bytes(b"v1\n{}\n\xff\xfe")
    strange = scene.checkpoint("strange", {"t": {"0": 5}})
    os.mkdir(os.fsencode(strange / "offsets") + b"/7\x1b\xff")
    scene.queries.append({"name": "absent", "checkpoint": "/no/such/\u00fc \"x\""})
    daemon = scene.daemon("--log.format=json", "--log.level=debug")
    daemon.wait_polls()
    scene.config_file.write_text("a: \x07\n")
    daemon.send(signal.SIGHUP)
    daemon.wait_log("not reloaded")
    assert daemon.stop() == 0
    lines = [json.loads(line) for line in daemon.log().splitlines()]
    assert len(lines) > 5
    for line in lines:
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["ts"])
        assert line["level"] in ("debug", "info", "warn", "error") and line["msg"]
    assert "spaces and \"quotes\" and ü\\" in [line.get("query") for line in lines]


def test_clients_that_say_nothing_or_nonsense_stop_no_other(scene):
    scene.healthy()
    daemon = scene.daemon()
    host, port = daemon.address.rsplit(":", 1)
    idle = [socket.create_connection((host, int(port))) for _ in range(300)]
    for text in (b"\0" * 100_000, b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\n\r\n", b"GET\r\n\r\n",
                 b"POST /-/reload HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n"):
        with socket.create_connection((host, int(port))) as client:
            client.settimeout(5)
            try:
                client.sendall(text)
                client.recv(4096)
            except OSError:
                pass
    started = time.monotonic()
    assert daemon.metrics()
    assert time.monotonic() - started < 1
    for client in idle:
        client.close()
    assert daemon.stop() == 0


def test_what_it_knows_is_in_no_core_file(scene):
    scene.healthy()
    daemon = scene.daemon()
    with open(f"/proc/{daemon.pid}/limits") as limits:
        (core,) = [line.split() for line in limits if line.startswith("Max core file size")]
    # 1, which no core fits in; the kernel then does not feed one to a program either.
    assert core[4:6] == ["1", "1"]


def test_a_log_that_nobody_reads_stops_neither_scrapes_nor_the_end(scene):
    scene.healthy()
    port = scene.free_port()
    scene.configure(web={"listen_address": f"127.0.0.1:{port}"})
    unread, log = os.pipe()
    fcntl.fcntl(log, fcntl.F_SETPIPE_SZ, 4096)
    daemon = subprocess.Popen([scene.binary, f"--config.file={scene.config_file}"], stderr=log)
    try:
        wait_until(lambda: metrics_of(port), "it answers")
        scene.config_file.write_text("nonsense")
        for _ in range(60):  # each of which it complains of
            daemon.send_signal(signal.SIGHUP)
            time.sleep(0.02)
        for _ in range(5):
            assert metrics_of(port)
        started = time.monotonic()
        daemon.send_signal(signal.SIGTERM)
        assert daemon.wait(10) == 0 and time.monotonic() - started < 5
    finally:
        daemon.kill()
        daemon.wait()
        os.close(unread)
        os.close(log)


def metrics_of(port):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=2) as answer:
            return answer.read()
    except urllib.error.URLError:
        return None
