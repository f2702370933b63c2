"""The broker is away for a while: what is not known is neither fine nor broken."""

import pytest

from support.tidegauge import EXIT_OK, EXIT_UNKNOWN


@pytest.mark.parametrize("away, back", [("freeze", "thaw"), ("kill", "start")])
def test_broker_away(lab, topics, broker, daemon, away, back):
    query = lab.consumed(f"outage_{away}", [100])
    lost = lab.consumed(f"outage_lost_{away}", [100])
    topics.recreate(lost.topic)
    topics.produce(lost.topic, [150])
    known = lab.found(lost, "topic_recreated", direction="above", records=100)
    before = _keys(daemon.findings())

    getattr(broker, away)()
    try:
        daemon.wait_state(query.name, ("unknown",))
        daemon.wait_polls(2)
        assert _keys(daemon.findings()) == before
        check = lab.check(query)
        assert (check.findings, check.status) == ([], EXIT_UNKNOWN)
        assert {u["query"] for u in check.unknown} == {query.name}
        assert daemon.metric("tidegauge_kafka_up") == 0
        answered = daemon.metric("tidegauge_kafka_last_success_timestamp_seconds")
        assert answered < daemon.metric("tidegauge_last_poll_timestamp_seconds")
        assert daemon.metric("tidegauge_query_unknown", query=query.name) == 1
        assert daemon.metric("tidegauge_lag_records", query=query.name, partition="0") is None
    finally:
        getattr(broker, back)()

    daemon.wait_state(query.name, ("ok",), 60)
    daemon.wait_polls(2)
    assert _keys(daemon.findings()) == before
    assert lab.found(lost, "topic_recreated")["records"] == known["records"]
    check = lab.check(query)
    assert (check.findings, check.unknown, check.status) == ([], [], EXIT_OK)
    topics.produce(query.topic, [30])
    assert lab.judge(query) is None
    assert lab.judge(lost) is None


def _keys(findings):
    return sorted((f["query"], f["kind"], f.get("topic", "")) for f in findings)
