"""A small Debian of its own to install into, with or without a systemd that runs. Needs root."""

import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from servers.server import wait_until

CACHE = Path(os.environ.get("TIDEGAUGE_CACHE", Path.home() / ".cache/tidegauge"))
UNIT = "tidegauge.service"

# Two systemds in one control group would end and tidy away each other's services.
OWN_GROUP = """
groups=$1/mnt
mount -t cgroup2 cgroup2 "$groups"
group=$groups$(sed -n 's/^0:://p' /proc/self/cgroup)/$2
"""
ENTER_GROUP = OWN_GROUP + """
mkdir "$group"
echo $$ > "$group/cgroup.procs"
umount "$groups"
shift 2
exec "$@"
"""
REMOVE_GROUP = OWN_GROUP + '[ ! -d "$group" ] || find "$group" -depth -type d -exec rmdir {} +'

# A container as systemd wants it (container_interface of its documentation): it must be able to
# make user namespaces and mounts of its own, so no chroot, and mounts that are shared.
BOOT = """
root=$1
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount -t tmpfs -o mode=755 dev "$root/dev"
for device in null zero full random urandom tty; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=666,mode=620 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
mount -t tmpfs run "$root/run"
mount -t tmpfs tmp "$root/tmp"
ip link set lo up
cd "$root"
mkdir -p mnt/old
pivot_root . mnt/old
umount -l /mnt/old
rmdir /mnt/old
mount --make-rshared /
"""
SYSTEMD = "exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --show-status=0"
# The shell buries what the others leave behind.
NO_SYSTEMD = "sleep infinity & wait"

# Asking at terminals that are not there, and what would change files now and then.
UNWANTED = ("getty.target", "console-getty.service", "timers.target", "systemd-networkd.service",
            "systemd-resolved.service", "systemd-timesyncd.service")


def output_of(*command: str | Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def namespace_of(process: str) -> str:
    """Of processes; empty: it has ended."""
    try:
        return os.readlink(f"/proc/{process}/ns/pid")
    except OSError:
        return ""


def codename() -> str:
    return output_of("sh", "-c", '. /etc/os-release && echo "$VERSION_CODENAME"').strip()


def mirror() -> str:
    """Where this machine has its Debian from."""
    targets = output_of("apt-get", "indextargets", "--format", "$(RELEASE) $(REPO_URI)",
                        "Origin: Debian", "Created-By: Packages")
    wanted = (codename(), "stable")
    return next(line.split()[1] for line in targets.splitlines() if line.split()[0] in wanted)


def base_tarball(release: str, packages: list[str]) -> Path:
    """The smallest Debian `release` and `packages`. Made once, and kept."""
    digest = hashlib.sha256(" ".join(sorted(packages)).encode()).hexdigest()[:12]
    tarball = CACHE / f"debian-{release}-{digest}.tar"
    if not tarball.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as directory:
            unfinished = Path(directory) / "base.tar"
            output_of("mmdebstrap", "--variant=minbase", f"--include={','.join(packages)}",
                      release, unfinished, mirror())
            unfinished.rename(tarball)
    return tarball


class Debian:
    """In namespaces of its own; everything in it ends with it."""

    def __init__(self, root: Path, package, release: str, systemd: bool = True,
                 also: tuple[str, ...] = ()) -> None:
        """With what `package`, a DebianPackage, depends on, and `also` these packages."""
        self.root = root
        root.mkdir()
        needed = [*package.first_alternatives(), *also]
        if systemd:
            needed = ["systemd", "dbus", *(name for name in needed if "sysusers" not in name)]
        output_of("tar", "-C", root, "--exclude=./dev/*", "-xf", base_tarball(release, needed))
        if systemd:
            output_of("systemctl", f"--root={root}", "mask", *UNWANTED)
        self._group = f"tidegauge-test-{os.getpid()}-{root.parent.name}"
        self._boot = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "sh", "-ec", ENTER_GROUP, "sh", root, self._group,
             "unshare", "--mount", "--pid", "--net", "--uts", "--ipc", "--cgroup", "--fork",
             "--kill-child", "--propagation", "private", "sh", "-ec",
             BOOT + (SYSTEMD if systemd else NO_SYSTEMD), "sh", root], stdin=subprocess.DEVNULL)
        try:
            self._first = wait_until(self._first_process, "a first process")
            if systemd:
                wait_until(self._has_started, "systemd runs", 60)
            else:
                wait_until(lambda: self.run("ls", "/mnt", check=False).stdout == "", "it is by itself")
        except BaseException:
            self.remove()
            raise

    def _first_process(self) -> str | None:
        """The child in a process namespace of its own."""
        children = Path(f"/proc/{self._boot.pid}/task/{self._boot.pid}/children").read_text().split()
        own = os.readlink("/proc/self/ns/pid")
        return next((child for child in children if namespace_of(child) not in (own, "")), None)

    def _has_started(self) -> bool:
        return self.systemctl("is-system-running", check=False) in ("running", "degraded")

    def remove(self) -> None:
        self._boot.kill()
        self._boot.wait()
        try:
            wait_until(self._group_is_removed, "its processes end")
        finally:
            shutil.rmtree(self.root)

    def _group_is_removed(self) -> bool:
        return subprocess.run(
            ["unshare", "--mount", "sh", "-ec", REMOVE_GROUP, "sh", self.root, self._group],
            capture_output=True, check=False).returncode == 0

    # ------------------------------------------------------------------ commands in it

    def run(self, *command: str, check: bool = True) -> subprocess.CompletedProcess:
        result = subprocess.run(
            ["nsenter", f"--target={self._first}", "--all", "--root", "--wd=/",
             "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive",
             *command], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
            timeout=120)
        assert not check or result.returncode == 0, f"{command}: {result.stdout}{result.stderr}"
        return result

    def systemctl(self, *arguments: str, check: bool = True) -> str:
        return self.run("systemctl", *arguments, check=check).stdout.strip()

    def show(self, *properties: str, unit: str = UNIT) -> list[str]:
        """What systemd says of the unit."""
        return [self.systemctl("show", f"--property={name}", "--value", unit) for name in properties]

    def journal(self) -> str:
        return self.run("journalctl", f"--unit={UNIT}", "--output=cat", "--no-pager").stdout

    def dpkg(self, *arguments: str) -> str:
        """As apt calls it where nobody answers questions."""
        return self.run("dpkg", "--force-confdef", "--force-confold", *arguments).stdout

    def install(self, package: Path) -> str:
        shutil.copy(package, self.root / "srv")
        output = self.dpkg("-i", f"/srv/{package.name}")
        (self.root / "srv" / package.name).unlink()
        return output

    # ------------------------------------------------------------------ programs of this machine in its network

    @contextlib.contextmanager
    def beside(self, *command: str) -> Iterator[subprocess.Popen]:
        with subprocess.Popen(["nsenter", f"--target={self._first}", "--net", *command],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL) as process:
            try:
                yield process
            finally:
                process.kill()

    def wait_for_port(self, process: int) -> int:
        """The TCP port on which it listens."""
        def port() -> int | None:
            table = output_of("nsenter", f"--target={self._first}", "--net", "ss", "-Hltnp")
            found = re.search(rf"127\.0\.0\.1:(\d+) .*pid={process},", table)
            return int(found[1]) if found else None
        return wait_until(port, "it listens")

    # ------------------------------------------------------------------ files in it

    def write(self, path: str, text: str, mode: int = 0o644) -> None:
        file = self.root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(mode)

    def drop_in(self, text: str) -> None:
        """As `systemctl edit` writes it; empty: none."""
        shutil.rmtree(self.root / f"etc/systemd/system/{UNIT}.d", ignore_errors=True)
        if text:
            self.write(f"/etc/systemd/system/{UNIT}.d/override.conf", text)

    def files(self) -> set[str]:
        """Every path but those that are dpkg's, systemd's, or the list of users."""
        found = output_of("find", self.root, "-xdev", "-printf", "/%P\n").splitlines()
        others = ("/var/lib/dpkg/", "/var/log/", "/var/lib/systemd/", "/var/tmp/", "/run", "/etc/passwd",
                  "/etc/group", "/etc/shadow", "/etc/gshadow", "/etc/.pwd.lock")
        return {path for path in found if not path.startswith(others)}

    # ------------------------------------------------------------------ the daemon in it

    def start(self) -> None:
        """Or restarts it, with what the unit says now."""
        self.systemctl("daemon-reload")
        self.systemctl("reset-failed", UNIT)
        done = self.run("systemctl", "restart", UNIT, check=False)
        assert done.returncode == 0, f"{done.stderr}{self.journal()}"

    def daemon(self) -> str:
        """Its process id; empty: none runs."""
        (pid,) = self.show("MainPID")
        return "" if pid == "0" else pid

    def get(self, path: str) -> str:
        """What it answers a client in its network; empty: nothing, or an error."""
        return subprocess.run(
            ["nsenter", f"--target={self._first}", "--net", "curl", "-s", "--fail", "--max-time", "10",
             f"http://127.0.0.1:10977{path}"], capture_output=True, text=True, check=False).stdout

    def metrics(self) -> dict[str, float]:
        lines = [line.rsplit(" ", 1) for line in self.get("/metrics").splitlines()
                 if not line.startswith("#")]
        return {series: float(value) for series, value in lines}

    def state_of(self, query: str) -> str | None:
        self.wait(lambda: self.get("/-/ready"), "the first poll")
        states = {entry["query"]: entry["state"]
                  for entry in json.loads(self.get("/api/v1/queries"))["queries"]}
        return states.get(query)

    def wait(self, holds, what: str, patience: float = 20) -> None:
        end = time.monotonic() + patience
        while not holds():
            assert time.monotonic() < end, f"{what}: not within {patience} s:\n{self.journal()}"
            time.sleep(0.1)
