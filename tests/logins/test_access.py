"""What each rule is for: docs/kafka_access.md, "What it needs to be allowed"."""

import contextlib
import itertools

import pytest
from locked.examples import EXAMPLES
from scenes.scene import now_ms, offsets_text, reason_for

numbers = itertools.count()
HOUR_MS = 3_600_000


class Guest:
    """Somebody who may come in, but to whom nothing is allowed yet."""

    def __init__(self, visitor, broker):
        self.name = f"guest-{next(numbers)}"
        self._visitor = visitor
        self._broker = broker
        broker.set_password(self.name, "guest-password")
        visitor.secret("kafka-password", "guest-password")
        visitor.scene.queries.clear()

    def watches(self, query, topic):
        offsets = offsets_text({topic: {"0": 5}}, planned_at=now_ms() - HOUR_MS)
        self._visitor.scene.checkpoint(query, offsets)

    def check(self):
        self._visitor.configure(EXAMPLES["SCRAM"][0].replace("tidegauge\n", f"{self.name}\n"),
                                "clear", timeout="10s")
        return self._visitor.check()

    @contextlib.contextmanager
    def allowed(self, operation, name, resource="TOPIC"):
        self._broker.allow(self.name, operation, name, resource)
        yield
        self._broker.revoke(self.name, operation, name, resource)


@pytest.fixture
def guest(visitor, broker):
    return Guest(visitor, broker)


@pytest.fixture(scope="module", autouse=True)
def topics(broker):
    """The first records of `stamped` are younger than any checkpoint here: another topic was read."""
    broker.create("plain")
    broker.create("stamped", config={"message.timestamp.type": "LogAppendTime"})
    for topic in ("plain", "stamped"):
        broker.produce(topic, 10)


def states(report):
    return {query["query"]: query["state"] for query in report["queries"]}


def recreated(report):
    (finding,) = [f for f in report["findings"] if f["kind"] == "topic_recreated"]
    return finding["confidence"]


def test_without_describe_a_topic_is_unknown_and_the_missing_rule_is_named(guest):
    guest.watches("allowed", "orders")
    guest.watches("closed", "plain")
    with guest.allowed("DESCRIBE", "orders"):
        report = guest.check()
    assert states(report)["closed"] == "unknown"
    assert states(report)["allowed"] != "unknown", "no other query suffers"
    assert (f"not authorized: Describe on topic plain is missing for User:{guest.name} "
            f"(kafka-acls.sh --add --allow-principal User:{guest.name} --operation Describe "
            "--topic plain)") in reason_for(report, "closed")


def test_without_any_rule_nothing_is_taken_for_missing(guest):
    guest.watches("closed", "plain")
    guest.watches("gone", "no-such-topic")
    report = guest.check()
    assert states(report) == {"closed": "unknown", "gone": "unknown"}
    assert report["findings"] == []


def test_describe_alone_gives_ids_offsets_and_timestamps(guest):
    guest.watches("q", "plain")
    with guest.allowed("DESCRIBE", "plain"):
        report = guest.check()
    assert report["unknown"] == []
    assert recreated(report) == "likely"


def test_describe_configs_makes_certain_what_is_likely_without(guest):
    guest.watches("q", "stamped")
    with guest.allowed("DESCRIBE", "stamped"):
        assert recreated(guest.check()) == "likely"
        with guest.allowed("DESCRIBE_CONFIGS", "stamped"):
            report = guest.check()
    assert report["unknown"] == []
    assert recreated(report) == "certain"


def test_a_topic_that_is_gone_is_missing_only_for_those_who_may_know(guest):
    guest.watches("q", "gone")
    assert "Describe on topic gone is missing" in reason_for(guest.check(), "q")
    with guest.allowed("DESCRIBE", "gone"):
        report = guest.check()
    assert [f["kind"] for f in report["findings"]] == ["topic_missing"]


def test_read_includes_describe(guest):
    guest.watches("q", "plain")
    with guest.allowed("READ", "plain"):
        report = guest.check()
    assert report["unknown"] == []
    assert recreated(report) == "likely"


def test_describe_on_the_cluster_changes_nothing(guest):
    guest.watches("q", "plain")
    with guest.allowed("DESCRIBE", "plain"):
        without = guest.check()
        with guest.allowed("DESCRIBE", "kafka-cluster", resource="BROKER"):
            with_it = guest.check()
    for part in ("queries", "findings", "unknown"):
        assert strip(with_it[part]) == strip(without[part])


def strip(entries):
    """Without what time changes."""
    return [{key: value for key, value in entry.items()
             if not key.endswith(("_at", "_seconds", "since"))} for entry in entries]


def test_a_rule_for_every_topic_is_enough_for_all(guest):
    guest.watches("a", "plain")
    guest.watches("b", "stamped")
    with guest.allowed("DESCRIBE", "*"):
        report = guest.check()
    assert report["unknown"] == []
    assert "unknown" not in states(report).values()
