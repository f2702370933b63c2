"""Files of a checkpoint are lost or broken: Spark fails as foretold, and the way out leads out."""

import os
import shutil
import time

import pytest

from support.plan import carry_out
from support.watched import Watched, all_records

LAST = 3


def empty_newest_plan(checkpoint):
    """A crash left it a while ago: one that is just being written may look like this."""
    file = checkpoint / "offsets" / f"{LAST + 1}"
    file.write_text("")
    os.utime(file, (time.time() - 600,) * 2)


def empty_newest_commit(checkpoint):
    (checkpoint / "commits" / f"{LAST}").write_text("")


def lose_the_plan_before(checkpoint):
    (checkpoint / "offsets" / f"{LAST - 1}").unlink()


@pytest.mark.parametrize("damage, kind, remedy, said", [
    (empty_newest_plan, "offset_log_unreadable", "take_out", "Incomplete log file"),
    (empty_newest_commit, "commit_log_unreadable", "take_out", "Incomplete log file"),
    (lose_the_plan_before, "offset_log_gap", "copy_newest", f"batch {LAST - 1} doesn't exist"),
], ids=["plan", "commit", "plan_before"])
def test_a_restart_fails_as_foretold(lab, topics, damage, kind, remedy, said):
    query = Watched(lab, topics, f"log_{kind}_{remedy}")
    query.batches(LAST)
    query.nothing_found()
    damage(query.query.checkpoint)
    assert said in query.finding(kind)["summary"]
    failure = query.batch()
    assert failure and said in failure, failure
    remedies, files = query.remedies(kind)
    carry_out(query.commands, remedies[remedy], files)
    query.batches(LAST + 2)
    query.nothing_found()
    assert query.read(lab.session) == all_records(topics, query.query.topic)


def test_the_id_that_was_lost_is_written_back(lab, topics):
    query = Watched(lab, topics, "log_query_id")
    query.batches(1)
    query.nothing_found()
    metadata = query.query.checkpoint / "metadata"
    text = metadata.read_text()
    metadata.unlink()
    assert text.strip() in query.finding("query_id_missing")["summary"]
    remedies, files = query.remedies("query_id_missing")
    carry_out(query.commands, remedies["write_id"], files)
    assert metadata.read_text() == text
    query.batches(2)
    query.nothing_found()


def test_a_new_start_in_the_old_place_is_accepted(lab, topics):
    query = Watched(lab, topics, "log_new_start")
    query.batches(2)
    query.nothing_found()
    for of_the_old in (query.query.checkpoint, query.query.sink):
        shutil.rmtree(of_the_old)
    query.query.options = {}  # all that is there makes one batch
    assert query.batch() is None
    for kind in ("query_id_changed", "checkpoint_restarted"):
        query.finding(kind)
        remedies, files = query.remedies(kind)
        carry_out(query.commands, remedies["acknowledge"], files)
    query.nothing_found()
    assert query.batch() is None
    query.nothing_found()
    assert query.read(lab.session) == all_records(topics, query.query.topic)
