"""Queries that do not get on, or that have two drivers."""

import threading
import time

import pytest

from support.process import wait_until

LEAST = 4
SIGN_LASTS = 5
LIMITS = {
    "checkpoint_shared": {"hold": "0s", "sign_lasts": f"{SIGN_LASTS}s"},
    "batch_stuck": {"hold": "0s", "least": f"{LEAST}s", "without_rhythm": "1m"},
    "query_stalled": {"hold": "1s", "least": f"{LEAST}s", "without_rhythm": "1m", "factor": 1},
}


@pytest.fixture
def impatient(lab, request):
    """A daemon that waits for seconds only, and watches all queries."""
    daemon = lab.new_daemon(f"impatient-{request.node.name}", lab.all_queries, LIMITS)
    daemon.start()
    yield daemon
    daemon.kill()


def batches(query, topics, last):
    """One for each batch of records, as the query goes along."""
    while query.committed_batch() < last:
        topics.produce(query.topic, [5])
        known = query.newest_batch()
        wait_until(lambda: query.newest_batch() > known, "the next batch", 30)
        wait_until(lambda: query.committed_batch() > known, "it ends", 30)


def test_a_batch_hangs(lab, topics, impatient):
    query = lab.query("batch_hangs")
    topics.create(query.topic)
    hangs, goes_on = threading.Event(), threading.Event()

    def write(_, batch):
        if batch == 5:
            hangs.set()
            goes_on.wait(60)

    with query.running(sink=write, processingTime="100 milliseconds"):
        batches(query, topics, 4)
        impatient.wait_polls(2)
        assert impatient.findings(query.name) + impatient.pending(query.name) == []
        topics.produce(query.topic, [5])
        assert hangs.wait(30)
        since = time.monotonic()
        finding = impatient.wait_for("batch_stuck", query.name, batch=5)
        assert time.monotonic() - since > LEAST - 1
        assert (finding["severity"], finding["records"]) == ("warning", 5)
        topics.produce(query.topic, [20])
        impatient.wait_for("batch_stuck", query.name, severity="critical", records=25)
        goes_on.set()
        impatient.wait_gone("batch_stuck", query.name)
        wait_until(lambda: query.committed_batch() == 6, "the next batch", 30)
        impatient.wait_polls(2)
        assert impatient.findings(query.name) == []


def test_a_driver_is_frozen(lab, topics, impatient):
    query = lab.query("driver_frozen")
    topics.create(query.topic)
    with query.running(processingTime="500 milliseconds"):
        batches(query, topics, 4)
        time.sleep(LEAST)
        assert impatient.findings(query.name) + impatient.pending(query.name) == []
        lab.freeze_spark()
        try:
            topics.produce(query.topic, [20])
            finding = impatient.wait_for("query_stalled", query.name, records=20, batch=4)
            assert finding["severity"] == "critical"
        finally:
            lab.thaw_spark()
        impatient.wait_gone("query_stalled", query.name)
        wait_until(lambda: query.committed_batch() == 5, "the next batch", 30)
        impatient.wait_polls(2)
        assert impatient.findings(query.name) == []


class Supervised:
    """A driver that is started again whenever it fails."""

    def __init__(self, start):
        self._start = start
        self._run = start()
        self.failures = []

    def keep_up(self):
        if not self._run.isActive:
            self.failures.append(str(self._run.exception()))
            self._run = self._start()

    def stop(self):
        self._run.stop()


def start_once_more(query):
    """Spark keeps a session from running a query twice, and knows it by its id alone."""
    metadata = query.checkpoint / "metadata"
    text = metadata.read_text()
    metadata.unlink()
    (query.checkpoint / ".metadata.crc").unlink(missing_ok=True)
    try:
        return start(query)
    finally:
        metadata.write_text(text)
        (query.checkpoint / ".metadata.crc").unlink(missing_ok=True)


def start(query):
    return query.start(sink="noop", processingTime="500 milliseconds")


def test_two_drivers(lab, topics, impatient):
    """Triggers lie on the same moments, so that both plan the next batch at once."""
    query = lab.query("two_drivers")
    topics.create(query.topic)
    one = Supervised(lambda: start(query))
    drivers = [one]
    try:
        batches(query, topics, 4)
        impatient.wait_polls(2)
        assert impatient.findings(query.name) + impatient.pending(query.name) == []
        drivers.append(Supervised(lambda: start_once_more(query)))

        def found():
            for driver in drivers:
                driver.keep_up()
            topics.produce(query.topic, [5])
            return [f for f in impatient.findings(query.name) if f["kind"] == "checkpoint_shared"]

        (finding,) = wait_until(found, "two drivers are found", 150)
        assert 4 < finding["batch"] <= query.newest_batch()
        assert finding["confidence"] == "certain"
        failures = [failure for driver in drivers for failure in driver.failures]
        assert any("Multiple streaming" in failure for failure in failures), failures
        drivers.pop().stop()
        impatient.wait_gone("checkpoint_shared", query.name, SIGN_LASTS + 15)
        last = query.committed_batch()
        topics.produce(query.topic, [5])

        def gets_on():
            # It may die once more of what the other has left.
            one.keep_up()
            return query.committed_batch() > last

        wait_until(gets_on, "the one that is left gets on", 60)
        impatient.wait_gone("checkpoint_shared", query.name)
    finally:
        for driver in drivers:
            driver.stop()
