"""A file system that takes every question and never answers. Run as a program: hung_mount.py DIR."""

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path


@contextlib.contextmanager
def hung_mount(directory: Path):
    directory.mkdir()
    server = subprocess.Popen(["/usr/bin/python3", __file__, str(directory)],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert server.stdout.readline() == b"mounted\n"
        yield directory
    finally:
        # Whoever waits for an answer cannot even be killed while the server lives.
        server.kill()
        server.wait()
        end = time.monotonic() + 5
        while _is_mounted(directory) and time.monotonic() < end:
            subprocess.run(["fusermount3", "-uz", directory], check=False)


def _is_mounted(directory):
    return f" {directory} " in Path("/proc/self/mounts").read_text()


def _serve(directory):
    import pyfuse3
    import trio

    class Silent(pyfuse3.Operations):
        async def _silent(self, *_):
            await trio.sleep_forever()

        access = getattr = lookup = open = opendir = readdir = statfs = _silent

    async def serve():
        async with trio.open_nursery() as nursery:
            nursery.start_soon(pyfuse3.main)
            await trio.to_thread.run_sync(sys.stdin.read)
            os._exit(0)  # the test is gone, however it went

    pyfuse3.init(Silent(), directory, {"fsname=silent", "auto_unmount"})
    print("mounted", flush=True)
    trio.run(serve)


if __name__ == "__main__":
    _serve(sys.argv[1])
