"""The data files disagree with the sink's log: found by a scan, and every way out leads out."""

import os

import pytest

from support.plan import carry_out
from support.tidegauge import EXIT_WARNING
from support.watched import Watched, all_records

LAST = 11  # one compaction, and what came after it


@pytest.fixture
def written(lab, topics, request):
    """An output of a few batches, whose data files are scanned."""
    name = f"data_files_{request.node.name}".replace("[", "_").replace("]", "")
    output = Watched(lab, topics, name, scan_data_files=True)
    output.batches(LAST)
    output.nothing_found()
    return output


def data_files(output):
    """Those with rows in them, oldest first."""
    files = [file for file in output.query.sink.glob("part-*") if file.stat().st_size]
    return sorted(files, key=lambda file: file.stat().st_mtime)


def rows_of(output, lab, topics):
    """As a batch job reads them; also all there are in Kafka."""
    read = output.read(lab.session)
    assert set(read.values()) == {1}
    return read, all_records(topics, output.query.topic)


@pytest.mark.parametrize("which", [0, -1], ids=["of_the_compact_file", "newest"])
@pytest.mark.parametrize("damage", ["missing", "truncated"])
def test_entries_of_lost_files_are_taken_out(lab, topics, written, damage, which):
    file = data_files(written)[which]
    if damage == "missing":
        file.unlink()
    else:
        os.truncate(file, file.stat().st_size - 1)
    kind = f"sink_file_{damage}"
    assert written.finding(kind)["missing"] == [file.name]
    if damage == "missing":
        with pytest.raises(Exception, match=file.name):
            written.read(lab.session)
    remedies, files = written.remedies(kind)
    assert list(remedies) == ["restore_files", "take_out_entries", "let_readers_pass"]
    carry_out(written.commands, remedies["take_out_entries"], files)
    file.unlink(missing_ok=True)  # else nobody would list it
    written.nothing_found()
    read, there = rows_of(written, lab, topics)
    assert read < there
    lost = there - read
    written.batches(LAST + 10)  # over the next compaction
    read, there = rows_of(written, lab, topics)
    assert read == there - lost


def test_files_that_are_brought_back(lab, topics, written):
    file = data_files(written)[3]
    aside = file.rename(written.query.directory / file.name)
    remedies, files = written.remedies("sink_file_missing")
    aside.rename(file)
    carry_out(written.commands, remedies["restore_files"], files)
    written.nothing_found()
    read, there = rows_of(written, lab, topics)
    assert read == there


def test_what_nobody_lists_is_moved_away(lab, topics, written):
    """Readers through the log never saw it; the others saw its rows twice."""
    copied = data_files(written)[3]
    left = copied.with_name(f"left-{copied.name}")
    left.write_bytes(copied.read_bytes())
    before = copied.stat().st_mtime
    os.utime(left, (before, before))
    assert written.finding("sink_orphan_files", EXIT_WARNING)["missing"] == [left.name]
    assert rows_of(written, lab, topics)[0] == rows_of(written, lab, topics)[1]
    remedies, files = written.remedies("sink_orphan_files")
    carry_out(written.commands, remedies["move_away"], files)
    assert (files / "backup" / left.name).read_bytes() == copied.read_bytes()
    written.nothing_found()
    read, there = rows_of(written, lab, topics)
    assert read == there


def test_another_job_writes_into_the_output(lab, topics, written):
    """Its rows are invisible to readers through the log, without a word from Spark."""
    frame = lab.session.createDataFrame([(0, 999_999)], "partition int, offset long")
    frame.coalesce(1).write.mode("append").json(str(written.query.sink))
    listed = written.read(lab.session)
    assert (0, 999_999) not in listed
    (foreign,) = set(data_files(written)) - set(data_files_listed(written))
    before = data_files(written)[3].stat().st_mtime  # so that no minute has to pass
    os.utime(foreign, (before, before))
    assert written.finding("sink_orphan_files", EXIT_WARNING)["missing"] == [foreign.name]


def data_files_listed(output):
    text = "".join(file.read_text() for file in output.log.iterdir() if file.name[0] != ".")
    return [file for file in output.query.sink.glob("part-*") if file.name in text]


def test_a_moved_output(lab, topics, written):
    """The query goes on in the new place, with a log that names the old one."""
    old = written.query.sink
    new = old.rename(old.with_name("moved"))
    written.query.sink = new
    settings = written.commands.config.read_text()
    written.commands.config.write_text(settings.replace(f'"{old}"', f'"{new}"'))
    written.log = new / "_spark_metadata"
    written.batches(LAST + 1)
    found = written.finding("sink_path_outside_root")
    assert str(old) in found["missing"][0]
    assert written.read(lab.session).total() == 7, "Spark passes over the others in silence"
    remedies, files = written.remedies("sink_path_outside_root")
    carry_out(written.commands, remedies["new_paths"], files)
    written.nothing_found()
    read, there = rows_of(written, lab, topics)
    assert read == there
