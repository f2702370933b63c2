"""Credentials that change while the daemon runs: docs/kafka_access.md, "When credentials change"."""

import itertools
import os
import signal
from pathlib import Path

import pytest
from locked.broker import REAUTHENTICATION_MS
from locked.examples import EXAMPLES
from scenes.scene import reason_for
from servers.server import wait_until

numbers = itertools.count()
UP = 'tidegauge_kafka_up{kafka_cluster="main"}'
ANEW = "connected anew with changed credentials"
REFUSED = "changed credentials cannot be used"


def up(daemon):
    return daemon.metric(UP) == 1


@pytest.fixture
def user(broker):
    """With a password of its own, which is `old`."""
    name = f"user-{next(numbers)}"
    broker.set_password(name, "old")
    broker.allow(name, "DESCRIBE", "orders")
    return name


def start(visitor, example, listener, user="tidegauge", timeout="2s"):
    visitor.configure(example.replace("tidegauge\n", f"{user}\n"), listener, timeout)
    daemon = visitor.daemon()
    assert up(daemon) and daemon.state_of("orders") == "ok", daemon.log()
    return daemon


def test_a_password_changed_in_the_file_first_waits_for_the_broker(visitor, broker, user):
    visitor.secret("kafka-password", "old")
    daemon = start(visitor, EXAMPLES["SCRAM"][0], "tls", user)
    visitor.secret("kafka-password", "new")
    daemon.wait_log(REFUSED)
    daemon.wait_polls(2)
    assert up(daemon) and daemon.state_of("orders") == "ok", "the old connections serve"
    broker.set_password(user, "new")
    daemon.wait_log(ANEW)
    daemon.wait_polls()
    assert up(daemon)
    assert daemon.log().count(REFUSED) == 1 and daemon.log().count(ANEW) == 1
    assert "cluster does not answer" not in daemon.log()


def test_a_password_changed_at_the_broker_first_serves_until_the_broker_asks_again(
        visitor, broker, user):
    visitor.secret("kafka-password", "old")
    patient = start(visitor, EXAMPLES["SCRAM"][0], "tls", user)
    broker.set_password(user, "new")
    visitor.secret("kafka-password", "old")  # another file with the same in it
    patient.wait_polls(REAUTHENTICATION_MS // 200 + 2)
    assert up(patient), "this listener does not ask again"
    patient.stop()

    broker.set_password(user, "old")
    strict = start(visitor, EXAMPLES["SCRAM"][0], "clear", user)
    broker.set_password(user, "new")
    wait_until(lambda: not up(strict), "the broker asks again")
    assert "login refused" in reason_for(strict.report(), "orders")
    visitor.secret("kafka-password", "new")
    wait_until(lambda: up(strict), "the new password is taken")
    assert strict.state_of("orders") == "ok"


def test_a_session_goes_on_where_the_broker_asks_again(visitor, realm, keytab, issuer, monkeypatch):
    """Tokens that end soon, tickets, and passwords that stay as they are. A token is fetched anew
    when a fifth of its life is left; with less than a second of it the broker lets nobody renew."""
    monkeypatch.setattr(issuer, "lifetime", 8)
    visitor.secret("kafka-client-secret", "hidden-client")
    visitor.secret("kafka-password", "hidden-scram")
    visitor.environment.update(realm.environment, KRB5_CLIENT_KTNAME=str(keytab),
                               KRB5CCNAME="MEMORY:")
    names = ("SCRAM", "OAUTHBEARER", "Kerberos")
    blocks = [visitor.adapted(EXAMPLES[name][0], "clear").replace("name: main", f"name: {name}")
              for name in names]
    visitor.scene.queries.clear()
    for name in names:
        visitor.scene.checkpoint(name, {"orders": {"0": 0}})
        visitor.scene.queries[-1]["kafka"] = name
    visitor.configure_text(blocks[0] + "".join(block.removeprefix("kafka:\n")
                                               for block in blocks[1:]))
    before = len(issuer.issued)
    daemon = visitor.daemon()
    wait_until(lambda: len(issuer.issued) >= before + 3, "tokens are fetched anew")
    daemon.wait_polls(REAUTHENTICATION_MS // 200 + 2)
    assert {name: daemon.state_of(name) for name in names} == dict.fromkeys(names, "ok")
    assert "login refused" not in daemon.log()


def test_a_client_secret_that_has_changed_is_used(visitor, issuer, monkeypatch):
    visitor.secret("kafka-client-secret", "hidden-client")
    daemon = start(visitor, EXAMPLES["OAUTHBEARER"][0], "tls")
    monkeypatch.setitem(issuer.secrets, "tidegauge", "another-secret")
    before = len(issuer.issued)
    visitor.secret("kafka-client-secret", "another-secret")
    daemon.wait_log(ANEW)
    assert len(issuer.issued) == before + 1
    assert up(daemon)


def test_a_certificate_that_has_changed_is_shown(visitor, broker, authority):
    """Who the broker then sees may do something else: that shows which certificate it was."""
    broker.create("first")
    broker.create("second")
    for name in ("first", "second"):
        broker.allow(f"CN={name}", "DESCRIBE", name)
        visitor.scene.checkpoint(name, {name: {"0": 0}})
    visitor.certificate("first")
    visitor.configure(EXAMPLES["certificate"][0], "mutual", timeout="2s")
    daemon = visitor.daemon()
    assert (daemon.state_of("first"), daemon.state_of("second")) == ("ok", "unknown")

    certificate, key = authority.issue("second")
    visitor.put("kafka-client.pem", certificate.read_text()[:200])  # half of it
    daemon.wait_log(REFUSED)
    visitor.put("kafka-client.pem", certificate.read_text())  # whose key is not there yet
    daemon.wait_log("key values mismatch")
    daemon.wait_polls(2)
    assert up(daemon) and daemon.state_of("first") == "ok", "the old connections serve"
    visitor.put("kafka-client.key", key.read_text())
    daemon.wait_log(ANEW)
    daemon.wait_polls()
    assert up(daemon)
    assert (daemon.state_of("first"), daemon.state_of("second")) == ("unknown", "ok")
    assert daemon.log().count(REFUSED) == 2, daemon.log()


def test_a_keytab_that_has_changed_is_read_for_the_next_ticket(visitor, broker, realm):
    broker.allow("short-lived", "DESCRIBE", "orders")
    visitor.put("kafka.keytab", realm.keytab("short-lived", "-maxlife 4s").read_bytes())
    visitor.environment.update(realm.environment, KRB5CCNAME="MEMORY:",
                               KRB5_CLIENT_KTNAME=f"{visitor.files}/kafka.keytab")
    daemon = start(visitor, EXAMPLES["Kerberos"][0], "clear")
    visitor.put("kafka.keytab", realm.new_key("short-lived").read_bytes())
    before = realm.logins("short-lived")
    wait_until(lambda: realm.logins("short-lived") >= before + 2, "tickets for the new key")
    daemon.wait_polls()
    assert up(daemon)


def connections(daemon):
    """To brokers: the kernel's numbers of established TCP connections of the process."""
    fds = Path(f"/proc/{daemon.pid}/fd")
    own = {os.readlink(fd) for fd in fds.iterdir() if fd.is_symlink()}
    lines = [line.split() for line in Path(f"/proc/{daemon.pid}/net/tcp").read_text().splitlines()[1:]]
    http = f"{int(daemon.address.rsplit(':', 1)[1]):04X}"
    return {line[9] for line in lines
            if line[3] == "01" and not line[1].endswith(http) and f"socket:[{line[9]}]" in own}


def test_a_reload_keeps_the_connections_of_a_cluster_that_did_not_change(visitor, user):
    visitor.secret("kafka-password", "old")
    daemon = start(visitor, EXAMPLES["SCRAM"][0], "tls", user)
    before = connections(daemon)
    assert before
    example = EXAMPLES["SCRAM"][0].replace("tidegauge\n", f"{user}\n")
    visitor.configure(example, "tls", "2s", read_timeout="9s")
    daemon.send(signal.SIGHUP)
    daemon.wait_log("configuration reloaded")
    daemon.wait_polls(2)
    assert before <= connections(daemon)
    visitor.configure(example, "tls", "3s")
    daemon.send(signal.SIGHUP)
    daemon.wait_log("configuration reloaded", count=2)
    wait_until(lambda: not before & connections(daemon), "other connections")
    assert up(daemon)
