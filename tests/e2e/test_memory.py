"""What the daemon remembers, and what it finds without memory."""

import time

import pytest

from support.tidegauge import EXIT_CRITICAL, EXIT_OK

DAY_MS = 24 * 3600 * 1000


def test_skipped_records_stay_until_acknowledged(lab, topics):
    query = lab.query("skipped", fail_on_data_loss=False)
    daemon = lab.new_daemon("daemon-skipped", {query.name: query.checkpoint})
    topics.create(query.topic)
    topics.produce(query.topic, [500])
    lab.run(query)
    daemon.start()
    try:
        daemon.wait_polls()
        topics.recreate(query.topic)
        topics.produce(query.topic, [300])
        daemon.wait_for("topic_recreated", query.name, direction="below", records=300)
        lab.run(query)
        finding = daemon.wait_for("records_skipped", query.name, records=300)
        topics.produce(query.topic, [100])
        lab.run(query)  # from 300: Spark's log looks perfect again

        for end in (daemon.stop, daemon.kill):
            end()
            daemon.start()
            assert daemon.wait_for("records_skipped", query.name) == finding

        daemon.acknowledge(finding, "e2e", "replayed by hand")
        daemon.wait_gone("records_skipped", query.name)
        daemon.kill()
        daemon.start()
        daemon.wait_polls()
        assert daemon.findings(query.name) == []
    finally:
        daemon.kill()


@pytest.mark.parametrize("stamped_by, confidence", [("LogAppendTime", "certain"),
                                                    ("CreateTime", "likely")])
@pytest.mark.parametrize("direction, refill", [("above", 800), ("equal", 500), ("below", 300)])
def test_timestamps_tell_without_memory(lab, topics, direction, refill, stamped_by, confidence):
    query = lab.query(f"no_memory_{direction}_{stamped_by}")
    topics.create(query.topic, message_timestamp_type=stamped_by)
    topics.produce(query.topic, [500])
    lab.run(query)
    topics.recreate(query.topic, message_timestamp_type=stamped_by)
    time.sleep(1.5)  # more than the clocks of driver and broker are allowed to be apart
    topics.produce(query.topic, [refill])

    check = lab.new_check(query, "first-sight").check()
    (finding,) = [f for f in check.findings if f["kind"] == "topic_recreated"]
    assert finding["direction"] == direction
    assert finding["records"] == min(500, refill)
    assert finding["confidence"] == confidence
    assert "topic_id" not in finding["evidence"]
    assert check.status == EXIT_CRITICAL
    lab.daemon.wait_polls()


@pytest.mark.parametrize("refill, kinds", [
    (300, ["end_below_checkpoint"]), (0, ["end_below_checkpoint"]), (800, [])])
def test_offsets_alone_tell_without_memory_and_timestamps(lab, topics, refill, kinds):
    """Stamps of long ago prove nothing; an end below the checkpoint says enough."""
    query = lab.query(f"no_proof_{refill}")
    old = int(time.time() * 1000) - 30 * DAY_MS
    topics.create(query.topic, retention_ms=-1)
    topics.produce(query.topic, [500], stamp_ms=old)
    lab.run(query)
    topics.recreate(query.topic, retention_ms=-1)
    topics.produce(query.topic, [refill], stamp_ms=old)

    check = lab.new_check(query, "first-sight").check()
    assert [f["kind"] for f in check.findings] == kinds
    assert check.status == (EXIT_CRITICAL if kinds else EXIT_OK)
