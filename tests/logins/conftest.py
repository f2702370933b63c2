import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "blackbox"),
                str(HERE.parent / "e2e")]

from locked.authority import SERVER, Authority  # noqa: E402
from locked.broker import LockedBroker  # noqa: E402
from locked.issuer import Issuer  # noqa: E402
from locked.realm import Realm  # noqa: E402
from locked.visitor import Visitor  # noqa: E402
from scenes.scene import Scene  # noqa: E402

LOGS = pytest.StashKey()


def pytest_addoption(parser):
    parser.addoption("--tidegauge", type=Path, required=True, help="the program under test")
    parser.addoption("--kafka", type=Path, required=True, help="folder with Kafka's jars")


def pytest_configure(config):
    config.stash[LOGS] = []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    if report.failed:
        for what in item.config.stash[LOGS]:
            if what.log.exists():
                report.sections.append((f"end of {what.log}", what.log.read_text()[-6000:]))
    return report


@pytest.fixture(scope="session")
def binary(pytestconfig):
    return pytestconfig.getoption("tidegauge").resolve()


@pytest.fixture(scope="session")
def directory(tmp_path_factory):
    return tmp_path_factory.mktemp("logins")


@pytest.fixture(scope="session")
def authority(directory):
    return Authority(directory / "authority")


@pytest.fixture(scope="session")
def realm(pytestconfig, directory):
    realm = Realm(directory / "realm")
    pytestconfig.stash[LOGS].append(realm)
    realm.start()
    yield realm
    realm.stop()


@pytest.fixture(scope="session")
def issuer(directory, authority):
    issuer = Issuer(directory / "issuer", authority.issue("issuer", SERVER))
    yield issuer
    issuer.stop()


@pytest.fixture(scope="session")
def stranger(directory):
    """An authority that nobody knows."""
    return Authority(directory / "stranger", "stranger")


@pytest.fixture(scope="session")
def keytab(realm):
    return realm.keytab("tidegauge")


@pytest.fixture(scope="session")
def broker(pytestconfig, directory, authority, realm, issuer):
    """Lets `tidegauge` in on all ways, and allows it Describe on the topic orders."""
    broker = LockedBroker(pytestconfig.getoption("kafka"), directory / "broker", authority,
                          authority.issue("broker", SERVER), realm, issuer,
                          plain={"tidegauge": "hidden-plain"})
    pytestconfig.stash[LOGS].append(broker)
    broker.start()
    broker.create("orders")
    broker.set_password("tidegauge", "hidden-scram")
    issuer.secrets["tidegauge"] = "hidden-client"
    for user in ("tidegauge", "CN=tidegauge"):
        broker.allow(user, "DESCRIBE", "orders")
    yield broker
    broker.stop()


@pytest.fixture
def visitor(binary, tmp_path, broker, issuer, authority):
    scene = Scene(binary, tmp_path)
    yield Visitor(scene, broker, issuer, authority)
    scene.end()
