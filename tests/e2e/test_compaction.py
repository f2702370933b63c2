"""Which batch compacts the sink's log, and what it needs, when compact files are lost or the
interval is changed: Spark does as foretold."""

import pytest

from support.plan import carry_out
from support.watched import Watched, all_records, is_said

INTERVAL = "fileSink.log.compactInterval"


def read_failure(sink, session):
    with pytest.raises(Exception) as failure:
        sink.read(session)
    return str(failure.value)


def dies_as_foretold(sink):
    """The foretold batch, which Spark tries and does not get over."""
    foretold = sink.finding("compaction_will_fail")
    assert f"_spark_metadata/{foretold['missing'][0]}" in foretold["summary"]
    failure = sink.run_until(foretold["batch"] - 1)
    assert failure and is_said(foretold, failure), failure
    assert sink.query.newest_batch() == foretold["batch"]
    return foretold


def goes_on(sink, remedy, session, topics):
    remedies, files = sink.remedies("compaction_will_fail")
    carry_out(sink.commands, remedies[remedy], files)
    assert sink.query.run() is None
    assert sink.read(session) == all_records(topics, sink.query.topic)


@pytest.mark.parametrize("last, interval, batch, missing, remedy", [
    # Of 2, 5 and 8.compact the middle one: those that are left are 6 apart.
    (9, 6, 11, ["5.compact", "8"], "stand_ins"),
    # The newest one.
    (6, 3, 8, ["5.compact"], "rebuild"),
], ids=["middle", "newest"])
def test_lost_compact_file(lab, topics, settings, last, interval, batch, missing, remedy):
    settings(INTERVAL, 3)
    sink = Watched(lab, topics, f"compact_lost_{last}", 3)
    sink.batches(last)
    sink.nothing_found()
    (sink.log / "5.compact").unlink()
    gap = sink.finding("sink_log_gap")
    said = f"5.compact doesn't exist (latestId: {last}, compactInterval: {interval})"
    assert said in gap["summary"]
    assert said in read_failure(sink, lab.session)
    foretold = dies_as_foretold(sink)
    assert (foretold["batch"], foretold["missing"]) == (batch, missing)
    goes_on(sink, remedy, lab.session, topics)
    sink.nothing_found()


def lower_interval(lab, topics, settings, name):
    """Nothing is lost, but what Spark now wants as 2.compact is there as 2."""
    sink = Watched(lab, topics, name)
    sink.batches(4)
    sink.nothing_found()
    settings(INTERVAL, 3)
    sink.tell(3)
    foretold = dies_as_foretold(sink)
    assert (foretold["batch"], foretold["missing"]) == (5, ["2.compact"])
    return sink


def test_interval_lowered_before_the_first_compaction(lab, topics, settings):
    sink = lower_interval(lab, topics, settings, "compact_lowered")
    goes_on(sink, "rebuild", lab.session, topics)
    sink.nothing_found()


def test_interval_lowered_and_set_back(lab, topics, settings):
    sink = lower_interval(lab, topics, settings, "compact_set_back")
    remedies, _ = sink.remedies("compaction_will_fail")
    assert list(remedies) == ["fit_interval", "rebuild", "stand_ins"]
    printed = remedies["fit_interval"]["steps"][0]["what"].split("--conf ")[1]
    setting, value = printed.split("=")
    assert setting == f"spark.sql.streaming.{INTERVAL}"
    settings(INTERVAL, int(value))
    sink.tell(int(value))
    sink.batches(int(value))
    assert (sink.log / f"{int(value) - 1}.compact").exists()
    sink.nothing_found()
    assert sink.read(lab.session) == all_records(topics, sink.query.topic)


def test_interval_raised_after_the_first_compaction(lab, topics, settings):
    settings(INTERVAL, 3)
    sink = Watched(lab, topics, "compact_raised", 3)
    sink.batches(3)
    settings(INTERVAL, 5)
    sink.nothing_found()
    sink.tell(5)
    changed, = sink.findings()
    assert (changed["kind"], changed["severity"]) == ("compact_interval_changed", "info")
    assert changed["batch"] == 5
    assert "every 3 batches, not every 5" in changed["summary"]
    sink.batches(changed["batch"])
    assert (sink.log / f"{changed['batch']}.compact").exists()
    assert sink.kinds() == ["compact_interval_changed"]
    assert sink.read(lab.session) == all_records(topics, sink.query.topic)


def test_interval_that_is_neither_the_old_nor_the_new(lab, topics, settings):
    """A lone 9.compact, and 3 configured: a divisor of ten that is not below it."""
    sink = Watched(lab, topics, "compact_derived", 10)
    sink.batches(9)
    settings(INTERVAL, 3)
    sink.tell(3)
    changed, = sink.findings()
    assert (changed["kind"], changed["batch"]) == ("compact_interval_changed", 14)
    sink.batches(12)
    (sink.log / "11").unlink()
    foretold = dies_as_foretold(sink)
    assert (foretold["batch"], foretold["missing"]) == (14, ["11"])
    goes_on(sink, "rebuild", lab.session, topics)
    assert (sink.log / "14.compact").exists()
    assert sink.kinds() == ["compact_interval_changed"]
