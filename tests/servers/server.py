"""A process that serves on loopback."""

import shutil
import socket
import subprocess
import time
from pathlib import Path

PATIENCE = 20.0  # the machine may be busy


def wait_until(holds, what, patience=PATIENCE):
    """Returns the first true value that `holds` gives."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        value = holds()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"{what}: not within {patience} s")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Server:
    """One of these `programs`, the first that is installed; its log is in `directory`."""

    def __init__(self, programs, directory: Path, scheme="http"):
        directory.mkdir(parents=True)
        self.port = free_port()
        self.url = f"{scheme}://127.0.0.1:{self.port}"
        self.log = directory / "log"
        self._program = next(filter(None, map(shutil.which, programs)), None)
        assert self._program, f"no {programs[0]}: deploy/install-deps test"
        self._process = None

    def arguments(self):
        raise NotImplementedError

    def start(self):
        with open(self.log, "ab") as log:
            self._process = subprocess.Popen([self._program, *map(str, self.arguments())],
                                             stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        wait_until(self._accepts, f"{self._program} listens")
        return self

    def _accepts(self):
        assert self._process.poll() is None, self.log.read_text()
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self):
        if self._process:
            self._process.kill()
            self._process.wait()
