"""The program at the broker's door, with an example's configuration and files of its own."""

import json

from scenes.scene import reason_for


class Visitor:
    """Where an example names a place, a host or an address, this test's takes its place."""

    def __init__(self, scene, broker, issuer, authority):
        self.scene = scene
        self.environment = {}
        self.files = scene.directory / "etc"
        self._broker = broker
        self._issuer = issuer
        self._authority = authority
        self.files.mkdir()
        scene.checkpoint("orders", {"orders": {"0": 0}})
        for name in ("kafka-ca.pem", "login-ca.pem"):
            self.put(name, authority.certificate.read_text())

    def put(self, name, text):
        """As those do who replace files under a running program: at once, or not at all."""
        fresh = self.files / f"{name}.new"
        fresh.write_bytes(text if isinstance(text, bytes) else text.encode())
        fresh.rename(self.files / name)

    def secret(self, name, text):
        self.put(name, text + "\n")

    def certificate(self, name, by=None, **options):
        certificate, key = (by or self._authority).issue(name, **options)
        self.put("kafka-client.key", key.read_text())
        self.put("kafka-client.pem", certificate.read_text())

    def keystore(self, name, password):
        self.put("kafka-client.p12", self._authority.keystore(name, password).read_bytes())
        self.secret("kafka-keystore-password", password)

    def adapted(self, example, listener):
        text = example.replace("broker1:9093", self._broker.listener(listener))
        text = text.replace("https://login.example/token", self._issuer.token_url)
        text = text.replace("/etc/tidegauge", str(self.files))
        if listener == "clear":
            text = text.replace("SASL_SSL", "SASL_PLAINTEXT")
        return text

    def configure(self, example, listener, timeout="3s", **settings):
        self.configure_text(self.adapted(example, listener) + f"    timeout: {timeout}\n",
                            **settings)

    def configure_text(self, kafka, **settings):
        more = {"queries": self.scene.queries, "state_dir": str(self.scene.state),
                "poll_interval": "200ms", **settings}
        self.scene.config_file.write_text(
            kafka + "".join(f"{name}: {json.dumps(value)}\n" for name, value in more.items()))

    @property
    def whole_environment(self):
        return {"PATH": "/usr/bin:/bin", "CREDENTIALS_DIRECTORY": str(self.files),
                **self.environment}

    def check(self):
        return self.scene.check(env=self.whole_environment)[1]

    def daemon(self, *arguments):
        return self.scene.daemon(*arguments, env=self.whole_environment)

    def comes_in(self, example, listener):
        self.configure(example, listener, timeout="10s")
        report = self.check()
        assert report["unknown"] == []
        return [query["state"] for query in report["queries"]] == ["ok"]

    def is_refused(self, example, listener):
        """Why."""
        self.configure(example, listener, timeout="2s")
        return reason_for(self.check(), "orders")
