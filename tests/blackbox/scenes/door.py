"""What stands before the daemon's port: certificates, passwords, the file that names them, and the
clients that try it."""

import json
import socket
import ssl
import subprocess

from servers.server import wait_until

OLD_TLS = "DEFAULT@SECLEVEL=0"  # what a client needs to offer versions before 1.2 at all


def openssl(*arguments, cwd):
    subprocess.run(["openssl", *map(str, arguments)], cwd=cwd, check=True, capture_output=True,
                   timeout=30)


def bcrypt_hash(password, cost=4):
    """As the documentation has one make it, at a cost that tests can afford."""
    made = subprocess.run(["htpasswd", "-nbBC", str(cost), "", password], check=True, timeout=30,
                          capture_output=True, text=True)
    return made.stdout.strip().lstrip(":")


class Certificates:
    """A CA of its own, and what it has signed, as `NAME.pem` and `NAME.key` in `directory`."""

    def __init__(self, directory, ca="ca"):
        self.directory = directory
        self.ca = ca
        directory.mkdir(exist_ok=True)
        openssl("req", "-x509", *self._new_key(ca), "-out", f"{ca}.pem", "-days", "2", "-subj",
                f"/CN={ca}", cwd=directory)

    @staticmethod
    def _new_key(name):
        return ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                f"{name}.key")

    def sign(self, name, san="DNS:localhost,IP:127.0.0.1"):
        (self.directory / "san").write_text(f"subjectAltName={san}")
        openssl("req", *self._new_key(name), "-out", f"{name}.csr", "-subj", f"/CN={name}",
                cwd=self.directory)
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", f"{self.ca}.pem", "-CAkey",
                f"{self.ca}.key", "-CAcreateserial", "-days", "2", "-extfile", "san", "-out",
                f"{name}.pem", cwd=self.directory)

    def path(self, name):
        return self.directory / name


class Door:
    """A daemon behind `web.yml`."""

    def __init__(self, scene):
        self.scene = scene
        self.certificates = Certificates(scene.directory / "tls")
        self.certificates.sign("server")
        self.file = scene.directory / "web.yml"
        self.daemon = None

    def write(self, tls=None, **sections):
        """`tls` beside certificate and key; `tls=False`: none. JSON is YAML. Replaced at once."""
        if tls is not False:
            sections["tls_server_config"] = {"cert_file": "tls/server.pem",
                                             "key_file": "tls/server.key", **(tls or {})}
        fresh = self.file.with_suffix(".new")
        fresh.write_text(json.dumps(sections, indent=1))
        fresh.rename(self.file)

    def open(self, *arguments):
        if not self.file.exists():
            self.write()
        self.daemon = self.scene.daemon(f"--web.config.file={self.file}", *arguments, ready=False)
        self.daemon.wait_log("listening")
        return self

    @property
    def port(self):
        return int(self.daemon.address.rsplit(":", 1)[1])

    def curl(self, *arguments, path="/metrics", scheme="https", timeout=10, insecure=False):
        """Status (0: no answer), header and body, and what curl complains about."""
        done = subprocess.run(
            ["curl", "-sS", "-i", "--max-time", str(timeout), *(["-k"] if insecure else [
                "--cacert", self.certificates.path("ca.pem")]), *map(str, arguments),
             f"{scheme}://127.0.0.1:{self.port}{path}"],
            capture_output=True, text=True, check=False, timeout=timeout + 20)
        status = int(done.stdout.split()[1]) if done.stdout else 0
        return status, done.stdout, done.stderr

    def status(self, *arguments, **options):
        return self.curl(*arguments, **options)[0]

    def client(self, name):
        """curl's arguments for a client that has this certificate."""
        return ("--cert", self.certificates.path(f"{name}.pem"), "--key",
                self.certificates.path(f"{name}.key"))

    def wait_status(self, status, *arguments, **options):
        wait_until(lambda: self.status(*arguments, **options) == status, f"status {status}")

    def connect(self):
        """TCP alone."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=10)

    def connect_tls(self, name=None):
        """`name`: of the certificate that the client has."""
        context = ssl.create_default_context(cafile=self.certificates.path("ca.pem"))
        if name:
            context.load_cert_chain(self.certificates.path(f"{name}.pem"),
                                    self.certificates.path(f"{name}.key"))
        return context.wrap_socket(self.connect(), server_hostname="127.0.0.1")

    def served_certificate(self, name=None):
        with self.connect_tls(name) as connection:
            return connection.getpeercert(binary_form=True)


def request(connection, path="/-/healthy", header=""):
    """Over a connection that is kept: status and body."""
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n{header}\r\n".encode())
    received = b""
    while b"\r\n\r\n" not in received:
        more = connection.recv(65536)
        if not more:
            raise ConnectionResetError("the server closed the connection")
        received += more
    head, body = received.split(b"\r\n\r\n", 1)
    fields = dict(line.split(b": ", 1) for line in head.split(b"\r\n")[1:])
    while len(body) < int(fields[b"Content-Length"]):
        body += connection.recv(65536)
    return int(head.split()[1]), body.decode()
