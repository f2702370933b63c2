"""A clean Debian to install into. Needs root."""

import hashlib
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

CACHE = Path(os.environ.get("TIDEGAUGE_CACHE", Path.home() / ".cache/tidegauge"))
FAKE_SYSTEMCTL = Path(__file__).with_name("fake_systemctl")


def output_of(*command: str | Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


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


class DebianChroot:
    """A tree of its own, with processes and a network of its own; all of them end with it."""

    def __init__(self, root: Path, packages: list[str], release: str) -> None:
        self.root = root
        root.mkdir()
        output_of("tar", "-C", root, "--exclude=./dev/*", "-xf", base_tarball(release, packages))
        # The shell is the first process inside: it buries what the others leave behind.
        script = ('mount -t proc proc "$1/proc" && mount --bind /dev "$1/dev" && '
                  'mount -t tmpfs run "$1/run" && ip link set lo up && echo up && '
                  '{ sleep infinity & wait; }')
        self._init = subprocess.Popen(
            ["unshare", "--mount", "--pid", "--net", "--fork", "--kill-child",
             "sh", "-c", script, "sh", root], stdout=subprocess.PIPE, text=True)
        assert self._init.stdout.readline() == "up\n"
        children = Path(f"/proc/{self._init.pid}/task/{self._init.pid}/children")
        self._inside = children.read_text().split()[0]

    def remove(self) -> None:
        self._init.kill()
        self._init.wait()
        self._init.stdout.close()
        shutil.rmtree(self.root)

    def enter(self, *command: str, check: bool = True) -> subprocess.CompletedProcess:
        """`command` of this machine, in the chroot's namespaces."""
        result = subprocess.run(
            ["nsenter", "--target", self._inside, "--mount", "--pid", "--net", *command],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=120)
        assert not check or result.returncode == 0, f"{command}: {result.stdout}{result.stderr}"
        return result

    def run(self, *command: str, check: bool = True) -> subprocess.CompletedProcess:
        """`command` in the chroot."""
        environment = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
                       "DEBIAN_FRONTEND=noninteractive"]
        return self.enter("chroot", str(self.root), *environment, *command, check=check)

    def dpkg(self, *arguments: str) -> str:
        """As apt calls it where nobody answers questions."""
        return self.run("dpkg", "--force-confdef", "--force-confold", *arguments).stdout

    def install(self, package: Path) -> str:
        shutil.copy(package, self.root / "tmp")
        output = self.dpkg("-i", f"/tmp/{package.name}")
        (self.root / "tmp" / package.name).unlink()
        return output

    def pretend_systemd(self) -> None:
        """From now on maintainer scripts find a systemctl, which really starts and stops."""
        shutil.copy(FAKE_SYSTEMCTL, self.root / "usr/bin/systemctl")
        self.run("mkdir", "-p", "/run/systemd/system")

    def systemctl(self, *arguments: str, check: bool = True) -> str:
        return self.run("systemctl", *arguments, check=check).stdout.strip()

    def asked_of_systemctl(self) -> list[str]:
        """Since the last call."""
        return self.run("sh", "-c", "cat /run/systemctl.log; : > /run/systemctl.log").stdout.splitlines()

    def daemon(self) -> str:
        """The daemon's process id; empty: none runs."""
        return self.systemctl("show-pid", "tidegauge.service", check=False)

    def page(self, path: str, wanted: str = "") -> str:
        """What the daemon answers, once it does and has `wanted` in it."""
        for _ in range(200):
            answer = self.enter("curl", "-sS", f"http://127.0.0.1:10977{path}", check=False)
            if answer.returncode == 0 and wanted in answer.stdout:
                return answer.stdout
            time.sleep(0.1)
        raise AssertionError(answer.stdout + answer.stderr + self.run("cat", "/run/tidegauge.log").stdout)

    def files(self) -> set[str]:
        """Every path but those that are dpkg's, the kernel's, or the list of users."""
        found = self.enter("find", str(self.root), "-xdev", "-printf", "/%P\n").stdout.splitlines()
        others = ("/var/lib/dpkg/", "/var/log/", "/run", "/proc", "/dev", "/etc/passwd", "/etc/group",
                  "/etc/shadow", "/etc/gshadow", "/etc/.pwd.lock")
        return {path for path in found if not path.startswith(others)}
