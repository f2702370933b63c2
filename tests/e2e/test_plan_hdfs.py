"""What `plan --hdfs.mount` prints is carried out as printed on a real HDFS, and Spark runs on it.

No more than these cases: each `hdfs dfs` is a JVM, about a second, and a remedy has up to ten. Putting
off a compaction has no command of HDFS."""

import subprocess
from collections import Counter

import pytest

from support.hdfs import SUPERUSER
from support.plan import carry_out
from support.watched import WatchedOnHdfs, all_records

INTERVAL = WatchedOnHdfs.INTERVAL


@pytest.fixture(params=["query's user", "superuser"])
def who(request, monkeypatch):
    """Whoever runs the commands. What is made must in the end be the query's user's."""
    if request.param == "superuser":
        monkeypatch.setenv("HADOOP_USER_NAME", SUPERUSER)
    return request.param


def owners(hdfs, directory):
    return {hdfs.status(path)["owner"] for path in (directory, *directory.iterdir())}


def test_a_new_topic_is_read_whole(lab, topics, hdfs, on_hdfs, monkeypatch):
    """In a directory whose name is a pattern to `hdfs dfs`, which another one fits."""
    monkeypatch.setenv("HADOOP_USER_NAME", SUPERUSER)
    hdfs.make_directory(hdfs.mount / "it's ab", owner="root")
    query = on_hdfs("hdfs_recreated", "it's [ab]?")
    query.batches(0)
    query.nothing_found()
    before = query.read(lab.session)
    topics.recreate(query.query.topic)
    topics.produce(query.query.topic, [7])
    remedies, files = query.remedies("topic_recreated")
    carry_out(query.commands, remedies["correct_offsets"], files)
    query.nothing_found()
    assert owners(hdfs, query.query.checkpoint / "offsets") == {"root"}
    assert query.batch() is None
    assert query.read(lab.session) == before + all_records(topics, query.query.topic)


def test_expired_records_are_passed_over(lab, topics, on_hdfs):
    query = on_hdfs("hdfs_expired")
    query.batches(0)
    topics.produce(query.query.topic, [7])
    topics.trim(query.query.topic, 0, 10)
    assert query.query.run(), "records are lost"
    remedies, files = query.remedies("records_expired")
    carry_out(query.commands, remedies["correct_offsets"], files)
    assert query.query.run() is None
    assert query.read(lab.session) == Counter((0, n) for n in range(14) if not 7 <= n < 10)
    with pytest.raises(subprocess.CalledProcessError):  # the query has gone on since
        carry_out(query.commands, remedies["correct_offsets"], files)


def test_a_lost_log_is_rebuilt(lab, topics, hdfs, on_hdfs, who):
    query = on_hdfs(f"hdfs_rebuilt_{who[0]}")
    query.batches(1)
    before = query.read(lab.session)
    hdfs.delete(query.log)
    remedies, files = query.remedies("compaction_will_fail")
    carry_out(query.commands, remedies["rebuild"], files)
    query.nothing_found()
    assert query.read(lab.session) == before
    assert owners(hdfs, query.log) == {"root"}
    query.batches(INTERVAL)
    assert query.read(lab.session) == all_records(topics, query.query.topic)


def test_a_torn_file_is_rebuilt(lab, topics, hdfs, on_hdfs):
    query = on_hdfs("hdfs_torn")
    query.batches(INTERVAL)
    torn = query.log / str(INTERVAL)
    hdfs.write(torn, torn.read_bytes()[:-9])
    remedies, files = query.remedies("sink_log_unreadable")
    carry_out(query.commands, remedies["rebuild"], files)
    query.nothing_found()
    assert query.batch() is None
    assert query.read(lab.session) == all_records(topics, query.query.topic)


def test_stand_ins_let_the_query_run(lab, hdfs, on_hdfs):
    query = on_hdfs("hdfs_stand_ins")
    query.batches(1)
    hdfs.delete(query.log / "0")
    remedies, files = query.remedies("compaction_will_fail")
    carry_out(query.commands, remedies["stand_ins"], files)
    query.nothing_found()
    query.batches(INTERVAL - 1)
    assert query.read(lab.session).total() == 7 * (INTERVAL - 1)


def test_a_log_is_set_back_to_an_older_checkpoint(lab, topics, hdfs, on_hdfs):
    query = on_hdfs("hdfs_set_back")
    query.batches(INTERVAL)
    for log in ("offsets", "commits"):
        hdfs.delete(query.query.checkpoint / log / str(INTERVAL))
    remedies, files = query.remedies("sink_ahead_of_checkpoint")
    carry_out(query.commands, remedies["set_back"], files)
    query.nothing_found()
    query.batches(INTERVAL)
    assert query.read(lab.session) == all_records(topics, query.query.topic)


def test_a_damaged_checkpoint_is_mended(lab, topics, hdfs, on_hdfs):
    """One file after the other: the newest plan and commit, the plan before, the query's id."""
    query = on_hdfs("hdfs_checkpoint")
    query.batches(1)
    query.nothing_found()
    checkpoint = query.query.checkpoint
    metadata = (checkpoint / "metadata").read_bytes()

    def empty_the_newest_plan():
        hdfs.write(checkpoint / "offsets/2", b"")
        hdfs.age(checkpoint / "offsets/2", seconds=600)

    for kind, remedy, damage in (
            ("offset_log_unreadable", "take_out", empty_the_newest_plan),
            ("commit_log_unreadable", "take_out",
             lambda: hdfs.write(checkpoint / "commits/2", b"")),
            ("offset_log_gap", "copy_newest", lambda: hdfs.delete(checkpoint / "offsets/2")),
            ("query_id_missing", "write_id", lambda: hdfs.delete(checkpoint / "metadata"))):
        damage()
        remedies, files = query.remedies(kind)
        carry_out(query.commands, remedies[remedy], files)
        assert query.batch() is None
        query.nothing_found()
    assert (checkpoint / "metadata").read_bytes() == metadata
    assert query.read(lab.session) == all_records(topics, query.query.topic)
