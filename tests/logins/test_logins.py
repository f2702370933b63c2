"""Each configuration of docs/kafka_access.md logs in to a broker that is set up so."""

import pytest
from locked.examples import EXAMPLES

PASSWORDS = {"SCRAM": "hidden-scram", "PLAIN": "hidden-plain"}


@pytest.mark.parametrize("listener", ["clear", "tls"])
@pytest.mark.parametrize("mechanism", PASSWORDS)
def test_a_password(visitor, mechanism, listener):
    visitor.secret("kafka-password", PASSWORDS[mechanism])
    assert visitor.comes_in(EXAMPLES[mechanism][0], listener)


@pytest.mark.parametrize("listener", ["clear", "tls"])
def test_a_token(visitor, listener):
    visitor.secret("kafka-client-secret", "hidden-client")
    assert visitor.comes_in(EXAMPLES["OAUTHBEARER"][0], listener)


def test_a_certificate(visitor):
    visitor.certificate("tidegauge")
    assert visitor.comes_in(EXAMPLES["certificate"][0], "mutual")


def test_a_certificate_in_a_keystore(visitor):
    visitor.keystore("tidegauge", "hidden-store")
    assert visitor.comes_in(EXAMPLES["certificate"][1], "mutual")


@pytest.mark.parametrize("listener", ["clear", "tls"])
def test_a_keytab(visitor, realm, keytab, listener):
    visitor.environment.update(realm.environment, KRB5_CLIENT_KTNAME=str(keytab),
                               KRB5CCNAME="MEMORY:")
    assert visitor.comes_in(EXAMPLES["Kerberos"][0], listener)


def test_a_credential_cache(visitor, realm, keytab):
    cache = realm.ticket("tidegauge", keytab)
    visitor.environment.update(realm.environment, KRB5CCNAME=f"FILE:{cache}")
    assert visitor.comes_in(EXAMPLES["Kerberos"][0], "tls")


def test_no_example_is_left_out():
    assert {name: len(blocks) for name, blocks in EXAMPLES.items()} == {
        "SCRAM": 1, "PLAIN": 1, "certificate": 2, "OAUTHBEARER": 1, "Kerberos": 1}


# ------------------------------------------------------------------ what is said when it fails

@pytest.mark.parametrize("mechanism", PASSWORDS)
def test_a_wrong_password_is_told_as_such(visitor, mechanism):
    visitor.secret("kafka-password", "wrong-password")
    reason = visitor.is_refused(EXAMPLES[mechanism][0], "tls")
    assert "login refused" in reason and "Authentication failed" in reason
    assert "wrong-password" not in reason


def test_a_wrong_client_secret_is_told_with_what_the_issuer_said(visitor):
    visitor.secret("kafka-client-secret", "wrong-secret")
    reason = visitor.is_refused(EXAMPLES["OAUTHBEARER"][0], "tls")
    assert "login refused" in reason and "invalid_client" in reason
    assert "wrong-secret" not in reason


def test_an_issuer_of_unknown_certificate_is_told_as_such(visitor, stranger):
    visitor.secret("kafka-client-secret", "hidden-client")
    visitor.put("login-ca.pem", stranger.certificate.read_text())
    assert "SSL certificate problem" in visitor.is_refused(EXAMPLES["OAUTHBEARER"][0], "tls")


def test_a_broker_of_unknown_certificate_is_told_as_such(visitor, stranger):
    visitor.secret("kafka-password", "hidden-scram")
    visitor.put("kafka-ca.pem", stranger.certificate.read_text())
    reason = visitor.is_refused(EXAMPLES["SCRAM"][0], "tls")
    assert "no TLS" in reason and "ssl.ca.location" in reason


def test_a_broker_of_another_name_than_its_certificate_is_not_believed(visitor, broker):
    visitor.secret("kafka-password", "hidden-scram")
    address = broker.listener("tls").replace("localhost", "127.0.0.1")
    reason = visitor.is_refused(EXAMPLES["SCRAM"][0].replace("broker1:9093", address), "tls")
    assert "no TLS" in reason and "could not be verified" in reason


def test_a_certificate_that_has_expired_is_told_as_such(visitor):
    visitor.certificate("tidegauge", days=-1)
    reason = visitor.is_refused(EXAMPLES["certificate"][0], "mutual")
    assert "does not take this client's certificate" in reason and "expired" in reason


def test_a_certificate_of_an_unknown_issuer_is_told_as_such(visitor, stranger):
    visitor.certificate("tidegauge", by=stranger)
    reason = visitor.is_refused(EXAMPLES["certificate"][0], "mutual")
    assert "does not take this client's certificate" in reason and "issuer" in reason


def test_no_ticket_is_told_as_such(visitor, realm):
    visitor.environment.update(realm.environment, KRB5CCNAME=f"FILE:{visitor.files}/none")
    reason = visitor.is_refused(EXAMPLES["Kerberos"][0], "tls")
    assert "login refused" in reason and "No Kerberos credentials available" in reason


def test_no_login_at_all_is_told_as_a_connection_that_is_closed(visitor):
    assert "connection closed" in visitor.is_refused("""\
kafka:
  - name: main
    bootstrap_servers: broker1:9093
""", "clear")
