"""The log of a file source, in the checkpoint, loses files."""

from collections import Counter

from support.plan import carry_out
from support.process import wait_until
from support.watched import RECORDS, WatchedFiles, is_said


def restart_message(finding):
    _, text = finding["summary"].split("A restart fails at once, with ")
    return {"summary": text}


def test_a_lost_file_before_the_first_compaction(lab):
    files = WatchedFiles(lab, "source_log_early")
    files.batches(4)
    files.nothing_found()
    lost = files.query.checkpoint / "sources" / "0" / "3"
    text = lost.read_text()
    lost.unlink()
    foretold = files.finding("compaction_will_fail")
    assert (foretold["batch"], foretold["missing"]) == (9, ["3"])
    failure = files.batch()
    assert failure and is_said(restart_message(foretold), failure), failure
    remedies, plan = files.remedies("compaction_will_fail")
    lost.write_text(text)
    carry_out(files.commands, remedies["restore"], plan)
    files.batches(6)
    files.nothing_found()


def test_a_lost_compact_file(lab, settings):
    settings("fileSource.log.compactInterval", 3)
    files = WatchedFiles(lab, "source_log")
    log = files.query.checkpoint / "sources" / "0"
    files.batches(5)
    files.nothing_found()

    # A driver that runs since before dies at the next compaction.
    with files.query.running(processingTime="100 milliseconds") as run:
        files.produce()
        wait_until(lambda: files.query.committed_batch() == 6, "the driver runs", 30)
        (log / "5.compact").unlink()
        foretold = files.finding("compaction_will_fail")
        assert (foretold["log"], foretold["batch"], foretold["batches_left"]) == ("source 0", 8, 2)
        assert foretold["missing"] == ["5.compact"]
        files.produce(2)
        wait_until(lambda: not run.isActive, "the query ends", 30)
        failure = str(run.exception())
    assert is_said(foretold, failure), failure
    assert (log / "7").exists() and not (log / "8.compact").exists()

    # One that is started now fails before, and so for every file since the newest compact one.
    foretold = files.finding("compaction_will_fail")
    assert (foretold["batch"], foretold["batches_left"]) == (8, 1)
    failure = files.query.run()
    assert is_said(restart_message(foretold), failure), failure

    remedies, plan = files.remedies("compaction_will_fail")
    carry_out(files.commands, remedies["stand_ins"], plan)
    files.nothing_found()
    before = files.read(lab.session)
    files.batches(9)
    files.nothing_found()
    again = files.read(lab.session) - before
    assert set(before.values()) == {RECORDS}
    assert again.keys() > set(range(6)), "those that the lost file listed count as new"
