"""What the pages say to type to build it, typed in a copy of the sources."""

import os
import shutil
import signal
import subprocess
import urllib.request

import pytest
from documented import ROOT, commands
from servers.server import free_port, wait_until


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    directory = tmp_path_factory.mktemp("sources") / "tidegauge"
    shutil.copytree(ROOT, directory, symlinks=True, ignore=lambda folder, _: (
        {"build", ".git"} if folder == str(ROOT) else {"__pycache__"}))
    yield directory
    shutil.rmtree(directory)


@pytest.fixture
def environment(sources):
    """What was compiled below another directory is not compiled again."""
    return {**os.environ, "CCACHE_BASEDIR": str(sources), "CCACHE_NOHASHDIR": "1"}


def finds_a_reset(demo, port):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/findings", timeout=5) as answer:
            return b"topic_recreated" in answer.read()
    except OSError:
        assert demo.poll() is None, demo.stdout.read().decode()
        return False


def test_both_pages_say_the_same():
    assert set(commands("docs/install.md", "From source")) < set(commands("README.md"))


def test_a_package_is_made_and_the_demo_shows_its_findings(sources, environment):
    for line in commands("docs/install.md", "From source"):
        done = subprocess.run(["bash", "-c", line], cwd=sources, env=environment, check=False,
                              capture_output=True, text=True)
        assert done.returncode == 0, f"{line}: {done.stdout[-3000:]}{done.stderr[-3000:]}"
    (package,) = sources.glob("tidegauge_*.deb")
    assert "/usr/bin/tidegauge" in subprocess.run(["dpkg-deb", "-c", package], check=True,
                                                  capture_output=True, text=True).stdout

    assert "deploy/demo" in commands("README.md")
    port = free_port()
    demo = subprocess.Popen(["deploy/demo", f"--web.listen-address=127.0.0.1:{port}"], cwd=sources,
                            env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            start_new_session=True)
    try:
        wait_until(lambda: finds_a_reset(demo, port), "the demo shows what it found", 60)
    finally:
        os.killpg(demo.pid, signal.SIGTERM)
        demo.wait()
