"""Alerts go to Alertmanager without Prometheus in between."""

import contextlib
import json
import socket
import subprocess
import time

import pytest
from scenes.daemon import wait_until
from servers.alertmanager import CONFIG, Alertmanager, PostServer, Receiver
from servers.server import free_port

RECREATED = "TidegaugeTopicRecreated"
# Of the password `new`, as `htpasswd -nB` makes them.
HASH_OF_NEW = "$2b$04$qZvdnnd0uHpdReNriYVjk.pWv3LhBt5yYiCSfSeVeg2Z5Ek96vY/6"


@pytest.fixture
def receiver(running):
    return running(Receiver())


def make_manager(scene, receiver, *options, name="manager", **how):
    return Alertmanager(scene.directory / name, CONFIG.format(url=receiver.url), *options, **how)


def deliver(scene, *servers, **settings):
    """A daemon with something to tell."""
    scene.recreated("q")
    scene.configure(alertmanager={"urls": ",".join(server.url for server in servers),
                                  "resend_delay": "1s", **settings})
    return scene.daemon()


def sent(daemon, server):
    return daemon.metric(f'tidegauge_notifications_sent_total{{alertmanager="{server.url}"}}')


def errors(daemon, server):
    return daemon.metric(f'tidegauge_notifications_errors_total{{alertmanager="{server.url}"}}')


def mend(scene):
    """The offsets are corrected."""
    scene.batch(scene.directory / "checkpoints/q", 0, {"t": {"0": 0}})


def test_a_finding_is_told_once_and_so_is_its_end(scene, running, receiver):
    manager = running(make_manager(scene, receiver).start())
    daemon = deliver(scene, manager, external_labels={"site": "north"}, runbook_base="http://docs")
    wait_until(lambda: ("firing", RECREATED) in receiver.heard(), "a notification")
    [alert] = [a for a in manager.alerts() if a["labels"]["alertname"] == RECREATED]
    assert alert["labels"] == {"alertname": RECREATED, "kind": "topic_recreated", "query": "q",
                               "severity": "critical", "kafka_cluster": "main", "topic": "t",
                               "site": "north"}
    assert alert["annotations"]["runbook_url"] == "http://docs/detectors/topic_recreated.md"
    [finding] = [f for f in daemon.report()["findings"] if f["kind"] == "topic_recreated"]
    assert alert["annotations"]["summary"] == finding["summary"]
    since = alert["startsAt"]
    before = sent(daemon, manager)
    wait_until(lambda: sent(daemon, manager) > before + 2, "repeats")
    # A restart tells the same alert again, from the same moment on.
    assert daemon.stop() == 0
    daemon = scene.daemon()
    wait_until(lambda: sent(daemon, manager), "sent by the second daemon")
    [alert] = [a for a in manager.alerts() if a["labels"]["alertname"] == RECREATED]
    assert alert["startsAt"] == since
    mend(scene)
    wait_until(lambda: RECREATED not in manager.names(), "the end")
    wait_until(lambda: ("resolved", RECREATED) in receiver.heard(), "its notification")
    time.sleep(2)
    assert [status for status, name in receiver.heard() if name == RECREATED] == ["firing",
                                                                                 "resolved"]
    assert errors(daemon, manager) == 0
    assert daemon.stop() == 0


def test_two_in_a_cluster_notify_once(scene, running, receiver):
    gossip = free_port()
    managers = [running(make_manager(
        scene, receiver, "--cluster.peer-timeout=2s",
        f"--cluster.listen-address=127.0.0.1:{gossip if n == 0 else free_port()}",
        *([f"--cluster.peer=127.0.0.1:{gossip}"] if n else []), name=f"manager{n}").start()) for n in range(2)]
    daemon = deliver(scene, *managers)
    for manager in managers:
        wait_until(lambda m=manager: RECREATED in m.names(), "both have it")
    wait_until(lambda: receiver.heard(), "a notification")
    time.sleep(5)
    assert receiver.heard().count(("firing", RECREATED)) == 1
    assert daemon.stop() == 0


def test_one_that_hangs_delays_nothing(scene, running, receiver):
    manager = running(make_manager(scene, receiver).start())
    with socket.create_server(("127.0.0.1", 0)) as hanging:
        url = f"http://127.0.0.1:{hanging.getsockname()[1]}"
        scene.recreated("q")
        scene.configure(alertmanager={"urls": f"{url},{manager.url}", "resend_delay": "1s"})
        daemon = scene.daemon()
        wait_until(lambda: RECREATED in manager.names(), "the other has it")
        daemon.wait_polls(5)
        assert daemon.stop() == 0


def test_errors_are_counted_and_told_once(scene, running):
    broken = running(PostServer(lambda *_: 500))
    daemon = deliver(scene, broken)
    wait_until(lambda: (errors(daemon, broken) or 0) > 2, "errors")
    assert sent(daemon, broken) == 0
    assert daemon.log().count("does not take alerts") == 1
    assert "status 500" in daemon.log()
    assert daemon.stop() == 0


def test_one_that_comes_back_is_told_what_still_holds(scene, running, receiver):
    manager = running(make_manager(scene, receiver))
    daemon = deliver(scene, manager)
    wait_until(lambda: (errors(daemon, manager) or 0) > 2, "errors")
    [finding] = [f for f in daemon.report()["findings"] if f["kind"] == "topic_recreated"]
    manager.start()
    wait_until(lambda: RECREATED in manager.names(), "it has it")
    [alert] = [a for a in manager.alerts() if a["labels"]["alertname"] == RECREATED]
    assert alert["startsAt"][:19] == finding["since"][:19]
    daemon.wait_log("takes alerts again")
    assert daemon.stop() == 0


@pytest.fixture
def certificate(scene):
    files = [str(scene.directory / name) for name in ("cert.pem", "key.pem")]
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                    "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
                    "-out", files[0], "-keyout", files[1]], check=True, capture_output=True)
    return files


def test_tls_and_a_password_that_is_changed(scene, running, receiver, certificate):
    password = scene.directory / "password"
    password.write_text("old\n")
    web = scene.directory / "web.yml"
    web.write_text(json.dumps({"basic_auth_users": {"tg": HASH_OF_NEW},
                               "tls_server_config": {"cert_file": certificate[0],
                                                     "key_file": certificate[1]}}))
    manager = running(make_manager(scene, receiver, f"--web.config.file={web}", scheme="https").start())
    daemon = deliver(scene, manager, ca_file=certificate[0], basic_auth_user="tg",
                     basic_auth_password_file=str(password))
    wait_until(lambda: errors(daemon, manager), "the old password is refused")
    assert "status 401" in daemon.log()
    password.write_text("new\n")
    wait_until(lambda: sent(daemon, manager), "the new one is not")
    wait_until(lambda: ("firing", RECREATED) in receiver.heard(), "a notification")
    assert not {"old", "new"} & set(daemon.log().split())
    assert daemon.stop() == 0


def test_a_server_whose_certificate_nobody_signed_gets_nothing(scene, running, certificate):
    server = running(PostServer(lambda *_: 200, certificate))
    daemon = deliver(scene, server)
    wait_until(lambda: errors(daemon, server), "errors")
    assert server.posts == [] and "certificate" in daemon.log()
    assert daemon.stop() == 0


def test_a_bearer_token(scene, running):
    token = scene.directory / "token"
    token.write_text("s3cret")
    server = running(PostServer(
        lambda path, headers, _: 200 if (path, headers["Authorization"]) == (
            "/alerts/api/v2/alerts", "Bearer s3cret") else 401))
    server.url += "/alerts"
    daemon = deliver(scene, server, bearer_token_file=str(token))
    wait_until(lambda: sent(daemon, server), "sent")
    token.unlink()
    daemon.wait_log("does not take alerts")
    assert str(token) in daemon.log() and "s3cret" not in daemon.log()
    assert daemon.stop() == 0


def test_a_secret_that_is_a_directory_is_told_and_ends_nothing(scene, running):
    server = running(PostServer(lambda *_: 200))
    daemon = deliver(scene, server, bearer_token_file=str(scene.directory))
    wait_until(lambda: errors(daemon, server), "errors")
    assert "directory" in daemon.log() and server.posts == []
    assert daemon.stop() == 0


def test_many_that_hang_do_not_delay_the_end(scene):
    with contextlib.ExitStack() as stack:
        hanging = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(8)]
        scene.recreated("q")
        scene.configure(alertmanager={
            "urls": ",".join(f"http://127.0.0.1:{one.getsockname()[1]}" for one in hanging)})
        daemon = scene.daemon()
        daemon.wait_polls(3)
        begin = time.monotonic()
        assert daemon.stop() == 0
        assert time.monotonic() - begin < 4


def test_the_end_of_what_was_found_is_told_by_the_daemon_that_is_stopped(scene, running):
    server = running(PostServer(lambda *_: 200))
    scene.recreated("q")
    scene.configure(poll_interval="1h",
                    alertmanager={"urls": server.url, "resend_delay": "1s"})
    daemon = scene.daemon()
    assert daemon.stop() == 0
    assert [alert["labels"]["alertname"] for post in server.posts for alert in post] == [RECREATED]


def test_it_is_off_by_default(scene):
    scene.recreated("q")
    daemon = scene.daemon()
    daemon.wait_polls()
    assert "tidegauge_notifications" not in daemon.metrics()
    assert daemon.stop() == 0


@pytest.mark.parametrize("settings, told", [
    ({"urls": "alertmanager:9093"}, "not http://host:port"),
    ({"urls": "http://u:p@host:9093"}, "not http://host:port"),
    ({"urls": "http://a", "external_url": "ops1"}, "'ops1' is not http://host:port"),
    ({"urls": "http://a", "external_url": "http://a,http://b"}, "is not http://host:port"),
    ({"urls": "http://a", "basic_auth_user": "u"}, "needs 'basic_auth_password_file'"),
    ({"urls": "http://a", "cert_file": "c"}, "needs 'key_file'"),
    ({"urls": "http://a", "bearer_token_file": "t", "basic_auth_user": "u",
      "basic_auth_password_file": "p"}, "choose one"),
    ({"urls": "http://a", "external_labels": {"a-b": "c"}}, "no name of a label"),
], ids=lambda part: part if isinstance(part, str) else "")
def test_settings_that_do_not_go_together_are_refused(scene, settings, told):
    scene.healthy()
    scene.configure(alertmanager=settings)
    done = scene.run("config", "check", f"--config.file={scene.config_file}")
    assert done.returncode == 78
    assert told in done.stdout + done.stderr
