"""Queries that run while the daemon watches."""

import time

from support.process import wait_until


def test_healthy_life(lab, topics, daemon):
    """Producers write and queries read, with each of the three ways that Spark notes progress."""
    batches, gaps, epochs = (lab.query(f"healthy_{kind}", "healthy")
                             for kind in ("batches", "async", "continuous"))
    topics.create("healthy")
    seen = []
    with batches.running(processingTime="500 milliseconds"), \
            gaps.running(sink="noop", processingTime="200 milliseconds",
                         options={"asyncProgressTrackingEnabled": "true",
                                  "asyncProgressTrackingCheckpointIntervalMs": "1500"}), \
            epochs.running(sink="noop", continuous="1 second"):
        end = time.monotonic() + 20
        while time.monotonic() < end:
            topics.produce("healthy", [25])
            for query in (batches, gaps, epochs):
                seen += daemon.findings(query.name) + daemon.pending(query.name)
            time.sleep(0.2)
        daemon.wait_polls()
        states = {q.name: daemon.query(q.name) for q in (batches, gaps, epochs)}
    assert seen == []
    for query in (batches, gaps, epochs):
        print(query.name, states[query.name], "committed", query.committed_batch())
        assert states[query.name]["state"] == "ok"
        assert states[query.name]["committed_batch"] > 3
        lab.catch_up(query)
        lab.nothing_found(query)
    # They were what they were meant to be.
    offsets = sorted(int(f.name) for f in (gaps.checkpoint / "offsets").glob("[0-9]*"))
    assert len(offsets) < offsets[-1]
    assert not (epochs.checkpoint / "sources").exists()
    assert len(batches.rows()) > 500


def test_recreated_under_a_running_query(lab, topics, daemon):
    """Between two triggers: Spark sees numbers alone, and goes on in the middle of the topic."""
    query = lab.query("recreated_running", fail_on_data_loss=True)
    topics.create(query.topic)
    topics.produce(query.topic, [500])
    with query.running(processingTime="8 seconds") as run:
        wait_until(lambda: query.committed_batch() == 0, "the first batch", 30)
        lab.catch_up(query)
        # The next trigger is 8 seconds after the last: let the one that is near pass by.
        time.sleep(max(0.0, 3 - _until_next_trigger(8)))
        assert daemon.findings(query.name) == []
        topics.recreate(query.topic)
        topics.produce(query.topic, [800])
        assert query.committed_batch() == 0, "Spark was quicker than this test"
        daemon.wait_for("topic_recreated", query.name, direction="above", records=500)
        wait_until(lambda: query.committed_batch() == 1, "the second batch", 30)
        assert run.exception() is None
        skipped = daemon.wait_for("records_skipped", query.name, records=500)
        assert [(p["partition"], p["records"]) for p in skipped["partitions"]] == [(0, 500)]
    assert sorted(query.rows()) == sorted(
        [(query.topic, 0, o) for o in [*range(500), *range(500, 800)]])
    assert [f["kind"] for f in daemon.findings(query.name)] == ["records_skipped"]


def _until_next_trigger(seconds):
    """Spark's triggers lie on multiples of their interval since the epoch."""
    return seconds - time.time() % seconds


def test_transactions(lab, topics, daemon):
    """Markers and open transactions take offsets that nobody reads: such a lag is no loss."""
    query = lab.query("transactions", options={"kafka.isolation.level": "read_committed"})
    topics.create(query.topic)
    topics.produce_transactions(query.topic, [10])
    topics.produce_transactions(query.topic, [5], commit=False)
    topics.produce(query.topic, [3])
    stable = topics.ends(query.topic)[0][1]
    assert stable >= 10 + 1 + 5 + 1 + 3  # a busy broker may write a marker twice
    open_transaction = topics.produce_transactions(query.topic, [4], commit=None)
    lab.run(query)
    lab.learn(query)
    assert daemon.query(query.name)["position"] == {query.topic: {"0": stable}}
    assert daemon.metric("tidegauge_lag_records", query=query.name, partition="0") == 4
    assert len(query.rows()) == 10 + 3
    open_transaction.commit_transaction(10)
    lab.run(query)
    assert len(query.rows()) == 10 + 3 + 4
    lab.catch_up(query)
    lab.nothing_found(query)
