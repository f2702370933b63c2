"""One thread of a process, stopped while the others run: as if it hung in our own code."""

import contextlib
import ctypes
import os
from pathlib import Path

PTRACE_SEIZE, PTRACE_INTERRUPT, PTRACE_DETACH = 0x4206, 0x4207, 17
WALL = 0x40000000  # __WALL: also threads

_libc = ctypes.CDLL(None, use_errno=True)


def _ptrace(request, thread):
    if _libc.ptrace(request, thread, None, None) != 0:
        raise OSError(ctypes.get_errno(), "ptrace")


@contextlib.contextmanager
def frozen_thread(pid, name):
    """The first thread of this name."""
    named = [int(task.name) for task in Path(f"/proc/{pid}/task").iterdir()
             if (task / "comm").read_text() == f"{name}\n"]
    thread = min(named)
    _ptrace(PTRACE_SEIZE, thread)
    _ptrace(PTRACE_INTERRUPT, thread)
    os.waitpid(thread, WALL)
    try:
        yield
    finally:
        _ptrace(PTRACE_DETACH, thread)
