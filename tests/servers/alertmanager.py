"""Real Alertmanagers, whom they notify, and servers that behave as no Alertmanager should."""

import json
import ssl
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from servers.server import Server

# Every notification at once.
CONFIG = """\
route: {{receiver: test, group_by: ['...'], group_wait: 0s, group_interval: 1s, repeat_interval: 1h}}
receivers: [{{name: test, webhook_configs: [{{url: '{url}', send_resolved: true}}]}}]
"""


class Alertmanager(Server):
    """With the configuration in `config`."""

    def __init__(self, directory, config, *options, scheme="http"):
        super().__init__(["prometheus-alertmanager", "alertmanager"], directory, scheme)
        (directory / "alertmanager.yml").write_text(config)
        self._directory = directory
        self._options = options
        if not any(option.startswith("--cluster.listen-address") for option in options):
            self._options += ("--cluster.listen-address=",)

    def arguments(self):
        return [f"--config.file={self._directory}/alertmanager.yml",
                f"--storage.path={self._directory}/data",
                f"--web.listen-address=127.0.0.1:{self.port}", *self._options]

    def alerts(self):
        """Those that are not over."""
        with urllib.request.urlopen(f"{self.url}/api/v2/alerts", timeout=5) as answer:
            return json.load(answer)

    def names(self):
        return [alert["labels"]["alertname"] for alert in self.alerts()]

    def post(self, alerts):
        body = json.dumps([{"labels": labels} for labels in alerts]).encode()
        with urllib.request.urlopen(urllib.request.Request(
                f"{self.url}/api/v2/alerts", body, {"Content-Type": "application/json"}), timeout=5):
            pass


class PostServer:
    """Answers each POST as `answer` says: a status, given path, headers and body; keeps all
    bodies. With `certificate` (certificate and key) over TLS."""

    def __init__(self, answer, certificate=None):
        self.posts = []
        received = self.posts

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                received.append(body)
                self.send_response(answer(self.path, self.headers, body))
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.url = f"{'https' if certificate else 'http'}://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def stop(self):
        self._server.shutdown()
        self._server.server_close()


class Receiver(PostServer):
    """Of Alertmanager's notifications."""

    def __init__(self):
        super().__init__(lambda *_: 200)

    def heard(self):
        """(status, alertname) of each notification."""
        return [(post["status"], alert["labels"]["alertname"])
                for post in self.posts for alert in post["alerts"]]
