"""A certificate authority, with openssl."""

import subprocess
from pathlib import Path

SERVER = "subjectAltName=DNS:localhost"
CLIENT = "extendedKeyUsage=clientAuth"


class Authority:
    def __init__(self, directory: Path, name="tidegauge-test"):
        directory.mkdir(parents=True)
        self._directory = directory
        self._key = directory / "ca.key"
        self.certificate = directory / "ca.pem"
        self._openssl("req", "-x509", *self._new_key(self._key), "-out", self.certificate,
                      "-subj", f"/CN={name}", "-days", "2")

    @staticmethod
    def _new_key(path):
        return ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-keyout", path]

    def _openssl(self, *words):
        done = subprocess.run(["openssl", *map(str, words)], cwd=self._directory,
                              capture_output=True, text=True, timeout=30)
        assert done.returncode == 0, done.stderr

    def issue(self, name, extension=CLIENT, days=1):
        """(certificate, key): files in PEM, of subject CN=`name`. A negative number of days makes
        a certificate that has expired."""
        files = self._directory / name
        files.mkdir(exist_ok=True)
        certificate, key, request = files / "cert.pem", files / "key.pem", files / "request"
        (files / "extension").write_text(extension + "\n")
        self._openssl("req", *self._new_key(key), "-out", request, "-subj", f"/CN={name}")
        self._openssl("x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self._key,
                      "-CAcreateserial", "-out", certificate, "-days", days,
                      "-extfile", files / "extension")
        return certificate, key

    def keystore(self, name, password):
        """The same as PKCS#12."""
        certificate, key = self.issue(name)
        store = certificate.with_name("keystore.p12")
        self._openssl("pkcs12", "-export", "-in", certificate, "-inkey", key, "-out", store,
                      "-passout", f"pass:{password}")
        return store
