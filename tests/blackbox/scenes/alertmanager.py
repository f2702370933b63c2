"""Real Alertmanagers, and servers that behave as no Alertmanager should."""

import json
import shutil
import socket
import ssl
import subprocess
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from scenes.daemon import wait_until

CONFIG = """\
route: {{receiver: test, group_by: ['...'], group_wait: 0s, group_interval: 1s, repeat_interval: 1h}}
receivers: [{{name: test, webhook_configs: [{{url: '{url}', send_resolved: true}}]}}]
"""


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Alertmanager:
    """One on loopback; `receiver` is whom it notifies."""

    def __init__(self, directory, receiver, *arguments, port=None, scheme="http"):
        directory.mkdir()
        self.port = port or free_port()
        self.scheme = scheme
        self._config = directory / "alertmanager.yml"
        self._config.write_text(CONFIG.format(url=receiver.url))
        binary = shutil.which("prometheus-alertmanager") or shutil.which("alertmanager")
        assert binary, "no alertmanager: deploy/install-deps test"
        self._command = [binary, f"--config.file={self._config}", f"--storage.path={directory}/data",
                         f"--web.listen-address=127.0.0.1:{self.port}", *arguments]
        if not any("cluster.listen-address" in argument for argument in arguments):
            self._command.append("--cluster.listen-address=")
        self._log = directory / "log"
        self._process = None

    @property
    def url(self):
        return f"{self.scheme}://127.0.0.1:{self.port}"

    def start(self):
        with open(self._log, "wb") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log,
                                             stdin=subprocess.DEVNULL)
        wait_until(self._accepts, "Alertmanager listens")
        return self

    def _accepts(self):
        assert self._process.poll() is None, self._log.read_text()
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self):
        if self._process:
            self._process.kill()
            self._process.wait()

    def alerts(self):
        """Those that are not over."""
        with urllib.request.urlopen(f"{self.url}/api/v2/alerts", timeout=5) as answer:
            return json.load(answer)

    def names(self):
        return [alert["labels"]["alertname"] for alert in self.alerts()]


class Server:
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


class Receiver(Server):
    """Of Alertmanager's notifications."""

    def __init__(self):
        super().__init__(lambda *_: 200)

    def heard(self):
        """(status, alertname) of each notification."""
        return [(post["status"], alert["labels"]["alertname"])
                for post in self.posts for alert in post["alerts"]]
