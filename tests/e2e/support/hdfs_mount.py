"""HDFS as a file system to read, over WebHDFS. Run as a program: hdfs_mount.py DIRECTORY URL."""

import errno
import itertools
import json
import os
import stat
import sys
import urllib.error
import urllib.parse
import urllib.request

import pyfuse3
import trio


class Mount(pyfuse3.Operations):
    """Nothing is kept: what the kernel asks for is asked of the NameNode each time."""

    def __init__(self, url):
        super().__init__()
        self._url = url
        self._paths = {pyfuse3.ROOT_INODE: "/"}
        self._inodes = {"/": pyfuse3.ROOT_INODE}
        self._open = {}
        self._handles = itertools.count(1)

    def _ask(self, path, operation):
        url = f"{self._url}{urllib.parse.quote(path)}?op={operation}&user.name=hdfs"
        try:
            with urllib.request.urlopen(url, timeout=60) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            raise pyfuse3.FUSEError(errno.ENOENT if error.code == 404 else errno.EIO) from error

    def _entry(self, path, status):
        inode = self._inodes.setdefault(path, len(self._inodes) + pyfuse3.ROOT_INODE)
        self._paths[inode] = path
        entry = pyfuse3.EntryAttributes()
        entry.st_ino = inode
        kind = stat.S_IFDIR if status["type"] == "DIRECTORY" else stat.S_IFREG
        entry.st_mode = kind | int(status["permission"], 8)
        entry.st_nlink = 1
        entry.st_size = status["length"]
        entry.st_mtime_ns = entry.st_atime_ns = entry.st_ctime_ns = (
            status["modificationTime"] * 1_000_000)
        entry.attr_timeout = entry.entry_timeout = 0
        return entry

    def _stat(self, path):
        return self._entry(path, json.loads(self._ask(path, "GETFILESTATUS"))["FileStatus"])

    def _below(self, inode, name):
        return os.path.join(self._paths[inode], os.fsdecode(name))

    async def getattr(self, inode, ctx=None):
        return self._stat(self._paths[inode])

    async def lookup(self, parent_inode, name, ctx=None):
        return self._stat(self._below(parent_inode, name))

    async def opendir(self, inode, ctx):
        return inode

    async def readdir(self, fh, start_id, token):
        answer = json.loads(self._ask(self._paths[fh], "LISTSTATUS"))
        for number, status in enumerate(answer["FileStatuses"]["FileStatus"][start_id:], start_id):
            name = os.fsencode(status["pathSuffix"])
            entry = self._entry(self._below(fh, name), status)
            if not pyfuse3.readdir_reply(token, name, entry, number + 1):
                return

    async def open(self, inode, flags, ctx):
        handle = next(self._handles)
        self._open[handle] = self._ask(self._paths[inode], "OPEN")
        return pyfuse3.FileInfo(fh=handle, direct_io=True)

    async def read(self, fh, off, size):
        return self._open[fh][off:off + size]

    async def release(self, fh):
        del self._open[fh]


if __name__ == "__main__":
    pyfuse3.init(Mount(sys.argv[2]), sys.argv[1], {"fsname=hdfs", "ro", "auto_unmount"})
    trio.run(pyfuse3.main)
