import atexit
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

from scenes.scene import Scene  # noqa: E402


def pytest_addoption(parser):
    parser.addoption("--tidegauge", type=Path, required=True, help="the program under test")


def pytest_configure():
    """A temporary root of its own: each pytest that starts closes the usual one to other users,
    under the feet of `as_nobody` in those that run beside it."""
    root = tempfile.mkdtemp(prefix="tidegauge-")
    os.environ["PYTEST_DEBUG_TEMPROOT"] = root
    atexit.register(shutil.rmtree, root, ignore_errors=True)


@pytest.fixture
def binary(pytestconfig):
    return pytestconfig.getoption("tidegauge").resolve()


@pytest.fixture
def scene(binary, tmp_path):
    """A directory of its own with a configuration; what it has started ends with the test."""
    scene = Scene(binary, tmp_path)
    yield scene
    scene.end()


@pytest.fixture
def running():
    """Stops what is put in."""
    with contextlib.ExitStack() as stack:
        def keep(server):
            stack.callback(server.stop)
            return server
        yield keep


@pytest.fixture(scope="session")
def public_binary(pytestconfig, tmp_path_factory):
    """Where anybody may run it: a build directory may be hidden from others."""
    directory = tmp_path_factory.mktemp("bin")
    for path in [directory, *directory.parents][:-2]:
        os.chmod(path, os.stat(path).st_mode | 0o755)
    return shutil.copy(pytestconfig.getoption("tidegauge"), directory)


@pytest.fixture
def as_nobody(scene, public_binary):
    """Runs the program as somebody whom file permissions concern."""
    prefix = [] if os.geteuid() else ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    os.chmod(scene.directory, 0o755)

    def run(*arguments):
        return subprocess.run([*prefix, public_binary, *arguments], capture_output=True, text=True,
                              timeout=30, cwd=scene.directory)
    return run
