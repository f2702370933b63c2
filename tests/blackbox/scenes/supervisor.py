"""systemd's end of the protocol of sd_notify(3)."""

import os
import socket

from servers.server import wait_until


class Supervisor:
    def __init__(self, directory):
        self._address = str(directory / "notify")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(self._address)
        self._socket.setblocking(False)
        self.heard = []

    def environment(self, watchdog_ms=None):
        """Of a service that it starts."""
        watchdog = {} if watchdog_ms is None else {"WATCHDOG_USEC": str(watchdog_ms * 1000)}
        return {**os.environ, "NOTIFY_SOCKET": self._address, **watchdog}

    def listen(self):
        """All that was said up to now."""
        while True:
            try:
                self.heard.append(self._socket.recv(4096).decode())
            except BlockingIOError:
                return self.heard

    def wait(self, what, count=1):
        wait_until(lambda: self.count(what) >= count, what)

    def count(self, what):
        return len([said for said in self.listen() if said.startswith(what)])

    def close(self):
        self._socket.close()
