"""`_spark_metadata` is damaged: what is foretold happens, and every way out leads out."""

import shutil

import pytest

from support.plan import carry_out
from support.watched import Watched, all_records

@pytest.fixture
def interval(settings, request):
    """Spark's setting; 5 unless a test says otherwise."""
    interval = getattr(request, "param", 5)
    settings("fileSink.log.compactInterval", interval)
    return interval


def cases(names, *values):
    """The first name is that of the fixture above."""
    return pytest.mark.parametrize(names, values, indirect=["interval"])


@cases("interval, last", (3, 1), (3, 4), (5, 4), (5, 7))
def test_deleted_log(lab, topics, interval, last):
    """The batch and the names that Spark's exception then has."""
    sink = Watched(lab, topics, f"sink_deleted_{interval}_{last}", interval)
    sink.batches(last)
    sink.nothing_found()
    sink.delete_log()
    sink.finding("sink_log_missing")
    foretold = sink.finding("compaction_will_fail")
    assert foretold["log"] == "sink"
    assert foretold["batches_left"] == foretold["batch"] - last
    for batch in range(last + 1, foretold["batch"]):
        assert sink.batch() is None, batch
        assert sink.finding("compaction_will_fail")["batch"] == foretold["batch"]
        assert sink.finding("sink_log_gap")["missing"]
    failure = sink.batch()
    assert failure and f"_spark_metadata/{foretold['missing'][0]}" in failure, failure
    assert sink.query.committed_batch() == foretold["batch"] - 1


@cases("interval, last, when", (3, 4, "after_spark_failed"), (3, 7, "at_once"), (5, 1, "at_once"),
       (5, 7, "after_a_batch"))
def test_rebuilt_log(lab, topics, interval, last, when):
    sink = Watched(lab, topics, f"sink_rebuilt_{interval}_{last}_{when}", interval)
    sink.batches(last)
    before = sink.read(lab.session)
    sink.delete_log()
    failing = sink.finding("compaction_will_fail")["batch"]
    until = {"at_once": last, "after_a_batch": last + 1, "after_spark_failed": failing}[when]
    while sink.query.committed_batch() < until and sink.batch() is None:
        pass
    committed = sink.query.committed_batch()
    remedies, files = sink.remedies("compaction_will_fail")
    carry_out(sink.commands, remedies["rebuild"], files)
    sink.nothing_found()
    read = sink.read(lab.session)
    assert read.total() == before.total() + 7 * (committed - last)
    assert set(read.values()) == {1}
    sink.batches(committed + interval + 1)
    sink.nothing_found()
    assert sink.read(lab.session) == all_records(topics, sink.query.topic)


@cases("interval, last", (3, 1), (5, 4))
def test_stand_ins(lab, topics, interval, last):
    sink = Watched(lab, topics, f"sink_stand_ins_{interval}_{last}", interval)
    sink.batches(last)
    sink.delete_log()
    remedies, files = sink.remedies("compaction_will_fail")
    carry_out(sink.commands, remedies["stand_ins"], files)
    sink.nothing_found()
    sink.batches(last + interval + 1)
    sink.nothing_found()
    assert sink.read(lab.session).total() == 7 * (interval + 1)


def test_deferred_compaction(lab, topics, interval):
    sink = Watched(lab, topics, f"sink_deferred_{interval}", interval)
    sink.batches(0)
    sink.delete_log()
    failing = sink.finding("compaction_will_fail")["batch"]
    remedies, _ = sink.remedies("compaction_will_fail")
    setting, value = remedies["defer"]["steps"][0]["what"].split("--conf ")[1].split("=")
    lab.session.conf.set(setting, value)
    sink.batches(failing + 1)


@cases("interval, damage, number", (3, "removed", 1), (3, "torn", 4), (5, "emptied", 4),
       (5, "removed", 4))
def test_one_damaged_file(lab, topics, interval, damage, number):
    sink = Watched(lab, topics, f"sink_{damage}_{interval}_{number}", interval)
    sink.batches(4)
    name = f"{number}.compact" if (number + 1) % interval == 0 else f"{number}"
    file = sink.log / name
    {"emptied": lambda: file.write_text(""), "torn": lambda: file.write_text(file.read_text()[:-9]),
     "removed": file.unlink}[damage]()
    kind = "sink_log_gap" if damage == "removed" else "sink_log_unreadable"
    is_needed = number >= (5 // interval) * interval - 1
    if not is_needed:
        return sink.nothing_found()  # a later compact file has all that was in it
    assert sink.finding(kind)["missing"] == [name]
    foretold = sink.finding("compaction_will_fail")
    assert foretold["missing"] == [name]
    failure = sink.run_until(foretold["batch"] - 1)
    assert failure if damage == "torn" else name in failure  # of torn JSON Spark names no file
    remedies, files = sink.remedies("compaction_will_fail")
    carry_out(sink.commands, remedies["rebuild"], files)
    assert sink.batch() is None
    sink.nothing_found()
    assert sink.read(lab.session) == all_records(topics, sink.query.topic)
    return None


def test_checkpoint_deleted(lab, topics, interval):
    """Spark would drop as many batches as the log has; it is told before the first one."""
    sink = Watched(lab, topics, f"sink_ahead_{interval}", interval)
    sink.batches(4)
    sink.nothing_found()
    kept = sink.query.directory / "kept"
    shutil.copytree(sink.query.checkpoint, kept)
    shutil.rmtree(sink.query.checkpoint)
    sink.query.options = {}  # all that is there makes one batch
    assert sink.batch() is None
    assert sink.finding("sink_ahead_of_checkpoint")["batch"] == 1
    rows = sink.read(lab.session).total()
    assert sink.batch() is None
    assert sink.read(lab.session).total() == rows, "Spark drops the batch in silence"
    remedies, _ = sink.remedies("sink_ahead_of_checkpoint")
    assert list(remedies)[0] == "restore_checkpoint"
    shutil.rmtree(sink.query.checkpoint)
    shutil.copytree(kept, sink.query.checkpoint)
    sink.nothing_found()
    sink.batches(5)
    assert sink.read(lab.session) == all_records(topics, sink.query.topic)


def test_older_checkpoint_restored(lab, topics, interval):
    sink = Watched(lab, topics, f"sink_set_back_{interval}", interval)
    sink.batches(interval)
    kept = sink.query.directory / "kept"
    shutil.copytree(sink.query.checkpoint, kept)
    sink.batches(interval + 1)
    shutil.rmtree(sink.query.checkpoint)
    shutil.copytree(kept, sink.query.checkpoint)
    remedies, files = sink.remedies("sink_ahead_of_checkpoint")
    carry_out(sink.commands, remedies["set_back"], files)
    sink.nothing_found()
    sink.batches(2 * interval + 1)
    sink.nothing_found()
    assert sink.read(lab.session) == all_records(topics, sink.query.topic)
