import re
import sys
from pathlib import Path

import pytest
import yaml

sys.path.insert(0, str(Path(__file__).parents[1]))

from debian_package import DebianPackage  # noqa: E402
from servers.alertmanager import Alertmanager  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "deploy/prometheus/tidegauge.rules.yml"
CONFIG = ROOT / "deploy/alertmanager/alertmanager.yml"


def pytest_addoption(parser):
    parser.addoption("--build", help="the build directory")
    parser.addoption("--package", help="a .deb, or the directory that it is in")
    parser.addoption("--release", help="the Debian to install it in; default: this machine's")


@pytest.fixture(scope="session")
def build(request):
    """The build directory."""
    return Path(request.config.getoption("--build"))


@pytest.fixture(scope="session")
def binary(build):
    return build / "daemon/tidegauge"


@pytest.fixture(scope="session")
def package(request):
    """The .deb that is looked at."""
    path = Path(request.config.getoption("--package"))
    if path.is_dir():
        (path,) = path.glob("*.deb")
    return DebianPackage(path)


@pytest.fixture(scope="module")
def tree(package, tmp_path_factory):
    """What is in it."""
    return package.unpacked(tmp_path_factory.mktemp("tree") / "tree")


@pytest.fixture(scope="session")
def groups():
    """The rule groups, by name."""
    return {group["name"]: group["rules"] for group in yaml.safe_load(RULES.read_text())["groups"]}


@pytest.fixture(scope="session")
def alerts(groups):
    """All alert rules."""
    return [rule for rules in groups.values() for rule in rules if "alert" in rule]


@pytest.fixture(scope="module")
def alertmanager(tmp_path_factory):
    """A real one with the shipped configuration; nobody hears of it."""
    manager = Alertmanager(tmp_path_factory.mktemp("alertmanager") / "manager",
                           CONFIG.read_text().replace("127.0.0.1:5001", "127.0.0.1:9"))
    try:
        yield manager.start()
    finally:
        manager.stop()


@pytest.fixture(scope="session")
def named_in_config():
    """Names of alerts in the inhibition rules, patterns left out."""
    return set(re.findall(r"\bTidegauge\w+\b(?![.])", CONFIG.read_text()))
