"""Processes of a test: they end with it, whatever happens, and write to a log of their own."""

import ctypes
import os
import random
import signal
import socket
import subprocess
import time
from pathlib import Path

PR_SET_PDEATHSIG = 1


class Timeout(AssertionError):
    pass


def free_ports(count):
    """Ports on loopback below those that the system gives to clients: a client that knocks at a
    stopped server's port may otherwise get that very port for itself, and block it."""
    ports = []
    while len(ports) < count:
        port = random.randrange(10000, 30000)
        with socket.socket() as s:
            try:
                s.bind(("127.0.0.1", port))
            except OSError:
                continue
        if port not in ports:
            ports.append(port)
    return ports


def wait_until(ask, what, timeout=20.0, interval=0.1):
    """Asks until the answer is true, and returns it; `what` says what was waited for."""
    deadline = time.monotonic() + timeout
    while True:
        answer = ask()
        if answer:
            return answer
        if time.monotonic() > deadline:
            raise Timeout(f"not within {timeout:g} s: {what() if callable(what) else what}")
        time.sleep(interval)


def _die_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Process:
    """One child process; `log` collects what all its starts print."""

    def __init__(self, command, log: Path):
        self.command = [str(word) for word in command]
        self.log = log
        self._child = None

    def start(self):
        assert not self.running, f"{self.command[0]} runs already"
        with self.log.open("ab") as log:
            self._child = subprocess.Popen(
                self.command, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                preexec_fn=_die_with_parent)

    @property
    def running(self):
        return self._child is not None and self._child.poll() is None

    def send(self, number):
        assert self.running, f"{self.command[0]} does not run:\n{self.tail()}"
        self._child.send_signal(number)

    def end(self, number=signal.SIGTERM, timeout=30.0):
        """Ends the process if it runs, and returns its exit status."""
        if self._child is None:
            return None
        if self.running:
            self._child.send_signal(number)
        try:
            return self._child.wait(timeout)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
            raise Timeout(f"{self.command[0]} did not end within {timeout:g} s:\n{self.tail()}")

    def tail(self, size=6000):
        if not self.log.exists():
            return ""
        with self.log.open("rb") as log:
            log.seek(max(0, os.fstat(log.fileno()).st_size - size))
            return log.read().decode(errors="replace")
