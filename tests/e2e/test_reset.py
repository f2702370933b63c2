"""A topic is deleted and created again under a query that has read it."""

import pytest

CONSUMED = [300, 200]
REFILLED = {"below": [200, 120], "equal": [300, 200], "above": [450, 350], "empty": [0, 0]}

both = pytest.mark.parametrize("fail_on_data_loss", [True, False], ids=["fail", "go_on"])


def name(*parts):
    return "_".join(map(str, parts))


@both
@pytest.mark.parametrize("direction", REFILLED)
def test_recreated(lab, topics, direction, fail_on_data_loss):
    query = lab.consumed(name("reset", direction, fail_on_data_loss), CONSUMED,
                         fail_on_data_loss=fail_on_data_loss)
    refill = REFILLED[direction]
    topics.recreate(query.topic, 2)
    topics.produce(query.topic, refill)

    finding = lab.found(query, "topic_recreated", direction=direction,
                        records=sum(map(min, CONSUMED, refill)))
    assert finding["evidence"][0] == "topic_id"
    assert finding["confidence"] == "certain"
    assert finding["partitions"] == [
        {"partition": p, "checkpoint": CONSUMED[p], "log_start": 0, "log_end": refill[p],
         "records": min(CONSUMED[p], refill[p])} for p in (0, 1)]

    if lab.judge(query):
        # Nothing has become better by failing; and whoever gives in gets what was predicted.
        lab.found(query, "topic_recreated", direction=direction)
        query.fail_on_data_loss = False
        assert lab.judge(query) is None
    assert_skipped(lab, query, finding)


def assert_skipped(lab, query, finding):
    """What was predicted has happened, and is told as such."""
    lab.daemon.wait_gone("topic_recreated", query.name)
    lab.catch_up(query)
    if finding["records"] == 0:
        assert lab.kinds(query) == []
        return
    skipped = lab.found(query, "records_skipped", finding["topic"])
    assert skipped["records"] == finding["records"]
    assert records(skipped) == records(finding)
    assert lab.kinds(query) == ["records_skipped"]


def records(finding):
    return {p["partition"]: p["records"] for p in finding["partitions"] if p["records"]}


def test_growing_past_the_checkpoint_heals_nothing(lab, topics):
    """The failed batch has the lower end in its log: it is run again as it is."""
    query = lab.consumed("reset_grown", [500])
    topics.recreate(query.topic)
    topics.produce(query.topic, [300])
    lab.found(query, "topic_recreated", direction="below", records=300)
    assert lab.judge(query)

    topics.produce(query.topic, [400])
    daemon_finding = lab.daemon.wait_for("topic_recreated", query.name)
    lab.daemon.wait_polls()
    finding = lab.found(query, "topic_recreated", records=300)
    assert (finding["direction"], daemon_finding["direction"]) == ("below", "below")
    assert "300" in lab.judge(query)
    query.fail_on_data_loss = False
    assert lab.judge(query) is None
    assert_skipped(lab, query, finding)


def test_one_partition_below_and_one_above(lab, topics):
    query = lab.consumed("reset_mixed", [300, 200])
    topics.recreate(query.topic, 2)
    topics.produce(query.topic, [100, 700])
    finding = lab.found(query, "topic_recreated", direction="below", records=100 + 200)
    assert lab.judge(query)
    query.fail_on_data_loss = False
    assert lab.judge(query) is None
    assert_skipped(lab, query, finding)


def test_one_of_two_topics(lab, topics):
    first, second = "reset_of_two_a", "reset_of_two_b"
    query = lab.query("reset_of_two", first, second)
    for topic in query.topics:
        topics.create(topic)
        topics.produce(topic, [100])
    lab.run(query)
    lab.learn(query)

    topics.recreate(second)
    topics.produce(first, [50])
    topics.produce(second, [250])
    finding = lab.found(query, "topic_recreated", second, direction="above", records=100)
    assert lab.kinds(query) == ["topic_recreated"]
    assert lab.judge(query) is None
    assert_skipped(lab, query, finding)


def test_self_union(lab, topics):
    """Spark writes the same offsets twice; it is one finding, and one count of records."""
    query = lab.consumed("reset_self_union", [100], twice=True)
    topics.recreate(query.topic)
    topics.produce(query.topic, [250])
    finding = lab.found(query, "topic_recreated", direction="above", records=100)
    assert lab.kinds(query) == ["topic_recreated"]
    assert lab.judge(query) is None
    assert_skipped(lab, query, finding)


@both
def test_fewer_partitions(lab, topics, fail_on_data_loss):
    query = lab.consumed(name("reset_fewer", fail_on_data_loss), [100, 70, 50],
                         fail_on_data_loss=fail_on_data_loss)
    topics.recreate(query.topic, 1)
    topics.produce(query.topic, [240])

    missing = lab.found(query, "partition_missing")
    assert [p["partition"] for p in missing["partitions"]] == [1, 2]
    recreated = lab.found(query, "topic_recreated")
    assert records(recreated) == {0: 100}
    assert (lab.judge(query) is not None) == fail_on_data_loss


def test_spark_reads_on_in_peace_where_nothing_happened(lab, topics):
    query = lab.consumed("reset_not", [100, 50])
    topics.produce(query.topic, [30, 40])
    lab.nothing_found(query)
    assert [lab.daemon.metric("tidegauge_lag_records", query=query.name, partition=p)
            for p in ("0", "1")] == [30, 40]
    assert lab.judge(query) is None
    lab.catch_up(query)
    lab.nothing_found(query)
