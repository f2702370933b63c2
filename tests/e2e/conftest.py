import os
import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]
pytest.register_assert_rewrite("support.lab", "support.tidegauge")

from support.broker import Broker  # noqa: E402
from support.hdfs import Hdfs  # noqa: E402
from support.lab import Lab  # noqa: E402
from support.spark import Spark  # noqa: E402
from support.topics import Topics  # noqa: E402
from support.watched import WatchedOnHdfs  # noqa: E402

LOGS = pytest.StashKey()


def pytest_addoption(parser):
    group = parser.getgroup("tidegauge")
    group.addoption("--tidegauge", type=Path, required=True, help="the program under test")
    group.addoption("--kafka", type=Path, required=True, help="folder with Kafka's jars")
    group.addoption("--connector", type=Path, required=True, help="folder with Spark's connector")
    group.addoption("--hdfs", type=Path, required=True, help="folder with Hadoop's jars")


def pytest_configure(config):
    config.stash[LOGS] = []


def pytest_collection_modifyitems(items):
    # Whoever does not recover from an outage would fail all that comes after it.
    items.sort(key=lambda item: item.module.__name__ == "test_outage")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    if report.failed:
        for what in item.config.stash[LOGS]:
            if what.log.exists():
                report.sections.append((f"end of {what.log}", what.log.read_text()[-6000:]))
    return report


@pytest.fixture(scope="session")
def logs(pytestconfig):
    return pytestconfig.stash[LOGS]


@pytest.fixture(scope="session")
def directory(tmp_path_factory):
    return tmp_path_factory.mktemp("e2e")


@pytest.fixture(scope="session")
def broker(pytestconfig, directory, logs):
    broker = Broker(pytestconfig.getoption("kafka"), directory / "kafka")
    logs.append(broker)
    broker.write_tools(directory / "bin")
    os.environ["PATH"] = f"{directory / 'bin'}:{os.environ['PATH']}"
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture(scope="session")
def spark(pytestconfig, directory, logs):
    spark = Spark(pytestconfig.getoption("connector"), directory / "spark")
    logs.append(spark)
    yield spark
    spark.stop()


@pytest.fixture(scope="session")
def hdfs(pytestconfig, directory, logs):
    hdfs = Hdfs(pytestconfig.getoption("hdfs"), directory / "hdfs")
    logs += [hdfs.namenode, hdfs.datanode]
    hdfs.start()
    yield hdfs
    hdfs.stop()


@pytest.fixture(scope="session")
def lab(pytestconfig, directory, broker, spark, logs):
    binary = pytestconfig.getoption("tidegauge").resolve()
    lab = Lab(binary, directory, broker, Topics(broker.address), spark)
    logs.append(lab.daemon)
    (directory / "queries").mkdir()
    lab.daemon.start()
    yield lab
    lab.daemon.stop()


@pytest.fixture
def settings(lab):
    """A function that gives Spark a setting, for all queries that start until the test ends."""
    changed = set()

    def change(name, value):
        changed.add(f"spark.sql.streaming.{name}")
        lab.session.conf.set(f"spark.sql.streaming.{name}", str(value))
    yield change
    for name in changed:
        lab.session.conf.unset(name)


@pytest.fixture
def topics(lab):
    return lab.topics


@pytest.fixture
def daemon(lab):
    return lab.daemon


@pytest.fixture
def on_hdfs(lab, topics, spark, hdfs, settings, tmp_path, monkeypatch):
    """on_hdfs(NAME, DIRECTORY, SETTING=…): a query below this directory of HDFS, and its topic."""
    settings("fileSink.log.compactInterval", WatchedOnHdfs.INTERVAL)
    monkeypatch.setenv("PATH", str(hdfs.bin), prepend=":")

    def make(name, directory="queries", **entry):
        hdfs.make_directory(hdfs.mount / directory, owner="root")
        # A blank in $PLAN must do no harm.
        return WatchedOnHdfs(lab, topics, spark, hdfs, hdfs.mount / directory / name,
                             tmp_path / "on call", entry)
    return make
