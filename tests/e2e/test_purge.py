"""Spark cleans up its own logs, legally. A file that goes too early is another matter."""

import time

import pytest

from support.watched import Watched, all_records, is_said

INTERVAL = 3
RETAINED = 4


@pytest.fixture
def quick_purge(settings):
    settings("fileSink.log.compactInterval", INTERVAL)
    settings("fileSink.log.cleanupDelay", 0)
    settings("minBatchesToRetain", RETAINED)
    return settings


def names(directory):
    return {f.name for f in directory.iterdir() if not f.name.startswith(".")}


def test_what_spark_deletes_is_not_missed(lab, topics, quick_purge):
    """Files below the compact file on which the retained batches rest, and offsets before them; and
    in the sink's compact files the entries that its retention drops."""
    sink = Watched(lab, topics, "purge_legal", INTERVAL, sink_options={"retention": "2s"})
    daemon = lab.new_daemon("daemon-purge", {"purge_legal": sink.entry})
    quick_purge("fileSink.log.deletion", "false")
    sink.batches(0)
    daemon.start()
    try:
        sink.batches(8)
        assert {"0", "1", "2.compact", "5.compact"} < names(sink.log)
        sink.nothing_found()
        quick_purge("fileSink.log.deletion", "true")
        time.sleep(2)
        sink.batches(13)
        assert names(sink.log) == {"8.compact", "9", "10", "11.compact", "12", "13"}
        assert "0" not in names(sink.query.checkpoint / "offsets")
        sink.nothing_found()
        read, there = sink.read(lab.session), all_records(topics, sink.query.topic)
        assert read.total() < there.total() and read <= there, "retention has dropped the oldest"
        daemon.wait_polls(2)
        assert daemon.query("purge_legal")["state"] == "ok"
        assert daemon.ever_found() == []
    finally:
        daemon.kill()


def test_what_is_deleted_too_early_is_missed(lab, topics, quick_purge):
    """By somebody who keeps the newest two files, whatever they are."""
    sink = Watched(lab, topics, "purge_too_early", INTERVAL)
    sink.batches(13)
    sink.nothing_found()
    start = sink.query.checkpoint / "offsets" / "12"
    text = start.read_text()
    start.unlink()
    failure = sink.batch()
    assert failure and is_said(sink.finding("offset_log_gap"), failure), failure
    start.write_text(text)
    sink.nothing_found()

    (sink.log / "11.compact").unlink()
    (sink.log / "8.compact").unlink()
    assert sink.kinds() == ["compaction_will_fail", "sink_log_gap"]
    foretold = sink.finding("compaction_will_fail")
    assert (foretold["batch"], foretold["missing"]) == (14, ["11.compact"])
    failure = sink.run_until(13)
    assert failure and is_said(foretold, failure), failure
    assert sink.query.newest_batch() == 14


def test_a_compact_file_that_is_left_alone_changes_the_interval(lab, topics, quick_purge):
    """So few batches are retained that only 5.compact is: a restart takes six for the interval."""
    quick_purge("minBatchesToRetain", 2)
    sink = Watched(lab, topics, "purge_lone", INTERVAL)
    sink.batches(7)
    assert names(sink.log) == {"5.compact", "6", "7"}
    assert sink.kinds() == ["compact_interval_changed"]
    (changed,) = sink.findings()
    assert changed["batch"] == 11
    sink.batches(11)
    assert {"8", "11.compact"} < names(sink.log)
    assert sink.kinds() == ["compact_interval_changed"], "six is not the three that is configured"
