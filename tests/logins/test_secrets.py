"""No secret is in anything that the program says or leaves behind."""

import base64
import os
from pathlib import Path

import pytest
from locked.examples import EXAMPLES
from scenes.scene import reason_for

PAGES = ("/", "/metrics", "/api/v1/queries", "/api/v1/findings", "/api/v1/history", "/-/healthy",
         "/-/ready", "/no/such/page")
SECRETS = {"SCRAM": "hidden-scram", "PLAIN": "hidden-plain", "OAUTHBEARER": "hidden-client",
           "keystore": "hidden-store", "Alertmanager": "hidden-alert"}


def clusters(visitor, timeout):
    """Every way in, each its cluster and query, with all that librdkafka says for debugging."""
    visitor.certificate("tidegauge")
    visitor.keystore("tidegauge", SECRETS["keystore"])
    ways = {"SCRAM": ("SCRAM", 0, "tls"), "PLAIN": ("PLAIN", 0, "clear"),
            "OAUTHBEARER": ("OAUTHBEARER", 0, "tls"), "certificate": ("certificate", 0, "mutual"),
            "keystore": ("certificate", 1, "mutual"), "Kerberos": ("Kerberos", 0, "tls")}
    visitor.scene.queries.clear()
    text = "kafka:\n"
    for name, (example, number, listener) in ways.items():
        block = visitor.adapted(EXAMPLES[example][number], listener).removeprefix("kafka:\n")
        block = block.replace("/kafka-password", f"/kafka-password-{name}")
        text += block.replace("name: main", f"name: {name}\n    timeout: {timeout}").replace(
            "    properties:\n", "    properties:\n      debug: all\n")
        visitor.scene.checkpoint(name, {"orders": {"0": 0}})
        visitor.scene.queries[-1]["kafka"] = name
    text += (f"alertmanager:\n  urls: http://127.0.0.1:1\n  basic_auth_user: tidegauge\n"
             f"  basic_auth_password_file: {visitor.files}/alertmanager-password\n")
    return text, list(ways)


def give(visitor, secrets):
    visitor.secret("kafka-password-SCRAM", secrets["SCRAM"])
    visitor.secret("kafka-password-PLAIN", secrets["PLAIN"])
    visitor.secret("kafka-client-secret", secrets["OAUTHBEARER"])
    visitor.secret("alertmanager-password", secrets["Alertmanager"])


def forms(secret):
    """As it is, and as it goes over the network."""
    yield secret
    for text in (secret, f"tidegauge:{secret}", f"\0tidegauge\0{secret}"):
        yield base64.b64encode(text.encode()).decode()


def key_lines(visitor):
    return [line for line in (visitor.files / "kafka-client.key").read_text().splitlines()
            if "-----" not in line]


def all_said(visitor, daemon):
    """{where: text} of a running daemon, and of the commands beside it."""
    said = {page: daemon.get(page)[1] for page in PAGES}
    said |= {f"/proc/{name}": Path(f"/proc/{daemon.pid}/{name}").read_bytes().decode()
             for name in ("cmdline", "environ")}
    output = visitor.scene.directory / "recorded"
    config = f"--config.file={visitor.scene.config_file}"
    for command in (["check", "--format=json"], ["check"], ["config", "print"], ["config", "check"],
                    ["record", f"--output={output}", "--query=SCRAM"],
                    ["history", "SCRAM"], ["plan", "SCRAM"]):
        done = visitor.scene.run(*command, config, env=visitor.whole_environment)
        said[" ".join(command)] = done.stdout + done.stderr
    daemon.stop()
    said["log"] = daemon.log()
    for directory in (visitor.scene.state, output):
        for folder, _, files in os.walk(directory):
            said |= {f"{folder}/{file}": (Path(folder) / file).read_bytes().decode("latin-1")
                     for file in files}
    assert any(name.startswith(str(visitor.scene.state)) for name in said)
    return said


def leaks(said, secrets):
    return [(where, secret) for where, text in said.items() for secret in secrets if secret in text]


@pytest.fixture
def kerberos(visitor, realm, keytab):
    visitor.environment.update(realm.environment, KRB5_CLIENT_KTNAME=str(keytab),
                               KRB5CCNAME="MEMORY:")


def test_when_all_goes_well(visitor, issuer, kerberos):
    text, names = clusters(visitor, "10s")
    give(visitor, SECRETS)
    visitor.configure_text(text)
    daemon = visitor.daemon("--log.level=debug")
    assert {name: daemon.state_of(name) for name in names} == dict.fromkeys(names, "ok")
    said = all_said(visitor, daemon)
    assert len(said["log"]) > 100_000, "librdkafka says all it has to say"
    assert said["config print"].count(str(visitor.files)) > 6, "files are shown, not what is in them"
    secrets = [form for secret in SECRETS.values() for form in forms(secret)]
    assert leaks(said, secrets + issuer.issued + key_lines(visitor)) == []


def test_when_each_is_refused(visitor, kerberos):
    text, _ = clusters(visitor, "1s")
    secrets = {name: f"wrong-{secret}" for name, secret in SECRETS.items()}
    give(visitor, secrets)
    visitor.certificate("tidegauge", days=-1)
    visitor.configure_text(text)
    daemon = visitor.daemon("--log.level=debug")
    assert "login refused" in reason_for(daemon.report(), "SCRAM")
    visitor.secret("kafka-password-SCRAM", "still-wrong-password")
    daemon.wait_polls(2)
    said = all_said(visitor, daemon)
    every = [form for secret in (*secrets.values(), "still-wrong-password")
             for form in forms(secret)]
    assert leaks(said, every + key_lines(visitor)) == []


@pytest.mark.parametrize("mistake", [
    "sasl.pasword: {secret}", "ssl.key.pem: {secret}", "sasl.jaas.config: {secret}",
    "sasl.mechanism: OAUTHBEARER\n      sasl.oauthbearer.client.secret: {secret}",
    "ssl.keystore.password: [{secret}]", "ssl.key.password: {secret}\n      ssl.key.location: /dev/null",
], ids=lambda text: text.split(":")[0])
def test_when_the_configuration_is_wrong(visitor, mistake):
    secret = "misplaced-secret"
    visitor.configure_text("kafka:\n  - name: main\n    bootstrap_servers: localhost:1\n"
                           "    timeout: 100ms\n    properties:\n      security.protocol: SASL_SSL\n"
                           f"      {mistake.format(secret=secret)}\n")
    for command in (["config", "check"], ["config", "print"], ["check"]):
        done = visitor.scene.run(*command, f"--config.file={visitor.scene.config_file}",
                                 env=visitor.whole_environment)
        assert done.stdout + done.stderr
        assert secret not in done.stdout + done.stderr, command
