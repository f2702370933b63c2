"""The ways out for data files, as `plan --hdfs.mount` prints them, on a real HDFS.

One query for all: each `hdfs dfs` is a JVM, about a second. What the findings are, and what Spark does
with each damage, is in test_data_files."""

import pytest

from support.hdfs import SUPERUSER
from support.plan import carry_out
from support.tidegauge import EXIT_CRITICAL, EXIT_WARNING
from support.watched import WatchedOnHdfs, all_records

LAST = WatchedOnHdfs.INTERVAL  # one compaction, and a batch after it
# A pattern to `hdfs dfs`, and no pattern to `sed` or `grep`.
DIRECTORY = "it's [ab]? #1"


class Output:
    """A query's output on HDFS, the commands on it, and the rows that are lost for good."""

    def __init__(self, lab, topics, hdfs, query):
        self._lab, self._topics, self.hdfs, self.query = lab, topics, hdfs, query
        self.lost = 0

    @property
    def sink(self):
        return self.query.query.sink

    def files(self):
        """Those with rows in them, oldest first."""
        files = [file for file in self.sink.glob("part-*") if file.stat().st_size]
        return sorted(files, key=lambda file: file.stat().st_mtime)

    def found(self, kind, names, status=EXIT_CRITICAL):
        assert self.query.finding(kind, status)["missing"] == names

    def plan(self, kind, remedy):
        remedies, files = self.query.remedies(kind)
        return lambda: carry_out(self.query.commands, remedies[remedy], files)

    def is_well(self):
        """Nothing is found, the log is the query's user's, and Spark reads each row once but the lost
        ones."""
        self.query.nothing_found()
        log = self.query.log
        owners = {self.hdfs.status(path)["owner"] for path in (log, *log.iterdir())}
        assert owners == {"root"}
        read = self.query.read(self._lab.session)
        there = all_records(self._topics, self.query.query.topic)
        assert read <= there
        assert (there - read).total() == self.lost


@pytest.fixture
def output(lab, topics, hdfs, on_hdfs):
    hdfs.make_directory(hdfs.mount / "it's a! #1", owner="root")
    query = on_hdfs("data_files", DIRECTORY, scan_data_files=True)
    query.batches(LAST)
    output = Output(lab, topics, hdfs, query)
    output.is_well()
    return output


def test_every_way_out(hdfs, output, monkeypatch):
    bring_back(hdfs, output)
    move_away(hdfs, output)
    take_out(hdfs, output, "truncated", output.files()[0])
    monkeypatch.setenv("HADOOP_USER_NAME", SUPERUSER)
    take_out(hdfs, output, "missing", output.files()[-1])
    write_the_new_place(hdfs, output)
    output.query.batches(LAST + WatchedOnHdfs.INTERVAL)  # over the next compaction
    output.is_well()


def bring_back(hdfs, output):
    files = [output.files()[0], output.files()[-1]]
    for file in files:
        hdfs.rename(file, output.sink.parent / file.name)
    output.found("sink_file_missing", [file.name for file in files])
    restore = output.plan("sink_file_missing", "restore_files")
    with pytest.raises(Exception, match="non-zero exit"):
        restore()
    for file in files:
        hdfs.rename(output.sink.parent / file.name, file)
    restore()
    output.is_well()


def move_away(hdfs, output):
    """Two in the directory itself and one in a folder of it."""
    copied = output.files()[1]
    names = ["day=%5B1%5D [2]*'s/left.json", "left?.json", "left .json"]
    for name in names:
        left = output.sink / name
        hdfs.write(left, copied.read_bytes())
        hdfs.age_as(left, copied)
    finding = output.query.finding("sink_orphan_files", EXIT_WARNING)
    assert sorted(finding["missing"]) == sorted(names)
    hdfs.write(output.sink / "left1.json", b"")  # what a pattern would take too
    remedies, files = output.query.remedies("sink_orphan_files")
    carry_out(output.query.commands, remedies["move_away"], files)
    for name in names:
        assert (files / "backup" / name).read_bytes() == copied.read_bytes()
    hdfs.delete(output.sink / "left1.json")
    output.is_well()


def take_out(hdfs, output, damage, file):
    if damage == "missing":
        hdfs.delete(file)
    else:
        hdfs.write(file, file.read_bytes()[:-1])
    output.found(f"sink_file_{damage}", [file.name])
    output.plan(f"sink_file_{damage}", "take_out_entries")()
    if damage != "missing":
        hdfs.delete(file)  # else nobody would list it
    output.lost += 7
    output.is_well()


def write_the_new_place(hdfs, output):
    """The output is moved, and the query goes on there."""
    query = output.query
    new = query.query.directory / "moved & more"
    hdfs.rename(output.sink, new)
    query.query.sink = new
    query.log = new / "_spark_metadata"
    query.entry["sink"] = str(new)
    query.tell(WatchedOnHdfs.INTERVAL)
    query.batches(LAST + 1)
    query.finding("sink_path_outside_root")
    output.plan("sink_path_outside_root", "new_paths")()
    output.is_well()
