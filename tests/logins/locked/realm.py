"""A Kerberos realm: a real MIT KDC on loopback, with a configuration and a database of its own."""

import os
import shutil
import socket
import subprocess
from pathlib import Path

from support.process import Process, free_ports, wait_until

REALM = "TIDEGAUGE.TEST"
KRB5 = """\
[libdefaults]
  default_realm = {realm}
  dns_lookup_kdc = false
  dns_lookup_realm = false
  dns_canonicalize_hostname = false
  rdns = false
  udp_preference_limit = 1
[realms]
  {realm} = {{
    kdc = localhost:{port}
  }}
[logging]
  kdc = FILE:{log}
[domain_realm]
  localhost = {realm}
"""
KDC = """\
[kdcdefaults]
  kdc_listen = ""
  kdc_tcp_listen = 127.0.0.1:{port}
[realms]
  {realm} = {{
    database_name = {directory}/principal
    key_stash_file = {directory}/stash
    max_life = 1h
  }}
"""


class Realm:
    def __init__(self, directory: Path):
        directory.mkdir(parents=True)
        self._directory = directory
        self.krb5_conf = directory / "krb5.conf"
        (port,) = free_ports(1)
        self._port = port
        self._requests = directory / "requests.log"
        self.krb5_conf.write_text(KRB5.format(realm=REALM, port=port, log=self._requests))
        (directory / "kdc.conf").write_text(KDC.format(realm=REALM, port=port, directory=directory))
        self.environment = {"KRB5_CONFIG": str(self.krb5_conf)}
        self._kdc_environment = {**self.environment, "KRB5_KDC_PROFILE": str(directory / "kdc.conf")}
        self._run("kdb5_util", "create", "-s", "-P", "master", "-r", REALM)
        self._kdc = Process(["env", *(f"{k}={v}" for k, v in self._kdc_environment.items()),
                             self._program("krb5kdc"), "-n", "-r", REALM], directory / "kdc.log")

    @staticmethod
    def _program(name):
        found = shutil.which(name, path=f"/usr/sbin:/sbin:{os.environ['PATH']}")
        assert found, f"no {name}: deploy/install-deps e2e"
        return found

    def _run(self, name, *words, **more):
        done = subprocess.run([self._program(name), *map(str, words)], capture_output=True,
                              text=True, timeout=30, stdin=subprocess.DEVNULL,
                              env={**os.environ, **self._kdc_environment, **more})
        assert done.returncode == 0, f"{name}: {done.stdout}{done.stderr}"

    @property
    def log(self):
        return self._kdc.log

    def start(self):
        self._kdc.start()
        wait_until(self._accepts, lambda: f"the KDC listens:\n{self._kdc.tail()}", 20)

    def _accepts(self):
        with socket.socket() as s:
            return s.connect_ex(("127.0.0.1", self._port)) == 0

    def stop(self):
        self._kdc.end()

    def keytab(self, principal, *options):
        """A file with the key of a new principal."""
        self._administer("addprinc -randkey", *options, principal)
        return self.new_key(principal)

    def new_key(self, principal):
        """A file with another key than before; no other lets the principal in."""
        keytab = self._directory / f"{principal.replace('/', '_')}.keytab"
        keytab.unlink(missing_ok=True)
        self._administer("ktadd -k", keytab, principal)
        return keytab

    def _administer(self, *words):
        self._run("kadmin.local", "-r", REALM, "-q", " ".join(map(str, words)))

    def logins(self, principal):
        """How often it was given a ticket for its key."""
        return self._requests.read_text().count(f"}}, {principal}@{REALM} for krbtgt/")

    def ticket(self, principal, keytab):
        """A credential cache, as `kinit` leaves it."""
        cache = self._directory / f"{principal}.ccache"
        self._run("kinit", "-k", "-t", keytab, "-c", f"FILE:{cache}", principal)
        return cache
