"""An issuer of tokens for client credentials (RFC 6749, 4.4): JWTs signed with RS256, and the key
set to verify them with. Small and of the tests' own: no Debian release that they run on packages a
server of OpenID Connect that starts without a database."""

import base64
import json
import ssl
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs

AUDIENCE = "kafka"
ISSUER = "https://issuer.test"
KEY_ID = "only"


def _base64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Issuer:
    """Tokens over TLS, the key set in the clear. `secrets` is {client id: its secret}."""

    def __init__(self, directory: Path, certificate):
        directory.mkdir(parents=True)
        self._key = directory / "signing.key"
        subprocess.run(["openssl", "genrsa", "-out", self._key, "2048"], check=True,
                       capture_output=True, timeout=30)
        self.secrets = {}
        self.lifetime = 3600  # of new tokens, in seconds
        self.issued = []
        self._servers = []
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
        self.token_url = f"https://localhost:{self._serve(context)}/token"
        self.key_url = f"http://localhost:{self._serve()}/keys"

    def _serve(self, context=None):
        server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        if context:
            server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self._servers.append(server)
        return server.server_port

    def stop(self):
        for server in self._servers:
            server.shutdown()
            server.server_close()

    def _handler(self):
        issuer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
                client = issuer.client_of(self.headers.get("Authorization", ""))
                if client is None or form.get("grant_type") != ["client_credentials"]:
                    return self._answer(401, {"error": "invalid_client"})
                token = issuer.token(client)
                self._answer(200, {"access_token": token, "token_type": "Bearer",
                                   "expires_in": issuer.lifetime})

            def do_GET(self):
                self._answer(200, {"keys": [issuer.public_key()]})

            def _answer(self, status, body):
                text = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):
                pass
        return Handler

    def client_of(self, authorization):
        kind, _, encoded = authorization.partition(" ")
        if kind != "Basic":
            return None
        client, _, secret = base64.b64decode(encoded).decode().partition(":")
        return client if self.secrets.get(client) == secret else None

    def token(self, subject):
        now = int(time.time())
        claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": subject, "iat": now,
                  "exp": now + self.lifetime}
        text = ".".join(_base64(json.dumps(part).encode())
                        for part in ({"alg": "RS256", "kid": KEY_ID, "typ": "JWT"}, claims))
        signature = subprocess.run(["openssl", "dgst", "-sha256", "-sign", self._key],
                                   input=text.encode(), check=True, capture_output=True,
                                   timeout=30).stdout
        self.issued.append(f"{text}.{_base64(signature)}")
        return self.issued[-1]

    def public_key(self):
        modulus = subprocess.run(["openssl", "rsa", "-in", self._key, "-noout", "-modulus"],
                                 check=True, capture_output=True, text=True, timeout=30).stdout
        return {"kty": "RSA", "use": "sig", "alg": "RS256", "kid": KEY_ID, "e": "AQAB",
                "n": _base64(bytes.fromhex(modulus.strip().partition("=")[2]))}
