"""What may lie in a checkpoint: torn, empty, huge, foreign. Unknown with a reason, never fine."""

import json
import os
import socket
import threading
import time

import pytest
from scenes.scene import offsets_text, reason_for, topic

UNKNOWN = 3


@pytest.fixture
def path(scene):
    """A healthy checkpoint; seven is its next batch."""
    scene.kafka({"t": topic(100)})
    return scene.checkpoint("q", *[{"t": {"0": 5}}] * 7)


def unknown_reason(scene):
    status, report = scene.check()
    reason = reason_for(report, "q")
    assert status == UNKNOWN
    return reason


def found_kinds(scene, *kinds):
    """They are critical; what cannot be read is said to be unknown all the same."""
    status, report = scene.check()
    assert [finding["kind"] for finding in report["findings"]] == list(kinds)
    assert status == 2
    assert report["queries"][0]["state"] == "findings"
    return reason_for(report, "q")


def commit(path, batch=7):
    (path / "commits" / str(batch)).write_text('v1\n{"nextBatchWatermarkMs":0}')


def test_the_checkpoint_is_fine_before_anything_is_done_to_it(scene, path):
    assert scene.check()[0] == 0


CONTENTS = {
    "empty": b"",
    "only a version": b"v1",
    "only metadata": b'v1\n{"batchWatermarkMs":0,"batchTimestampMs":1,"conf":{}}',
    "cut in the metadata": b'v1\n{"batchWatermarkMs":0,"batchTimes',
    "cut in the offsets": offsets_text({"t": {"0": 7}}).encode()[:-4],
    "newer version": b"v99\n{}\n{}",
    "no version": b'{"t":{"0":7}}',
    "zero bytes": b"\0" * 4096,
    "not UTF-8": b"v1\n{}\n\xff\xfe",
    "another program's": b"\x89PNG\r\n\x1a\n",
    "offset beyond int64": offsets_text({"t": {"0": 9223372036854775808}}).encode(),
    "offset far beyond": b'v1\n{"batchWatermarkMs":0,"batchTimestampMs":1,"conf":{}}\n{"t":{"0":'
                         + b"9" * 400 + b"}}",
    "negative offset": offsets_text({"t": {"0": -1}}).encode(),
    "earliest as a number": offsets_text({"t": {"0": -2}}).encode(),
    "offset as text": offsets_text({"t": {"0": "7"}}).encode(),
    "offset with a fraction": offsets_text({"t": {"0": 7.5}}).encode(),
    "negative partition": offsets_text({"t": {"-1": 7}}).encode(),
    "partition beyond int32": offsets_text({"t": {"2147483648": 7}}).encode(),
    "partition as text": offsets_text({"t": {"zero": 7}}).encode(),
    "topic that is none": offsets_text({"a b": {"0": 7}}).encode(),
    "topic with a slash": offsets_text({"../t": {"0": 7}}).encode(),
    "topic of 250 characters": offsets_text({"t" * 250: {"0": 7}}).encode(),
    "topic without a name": offsets_text({"": {"0": 7}}).encode(),
    "topic with a newline": offsets_text({"t\n": {"0": 7}}).encode(),
    "nested bomb": b"v1\n{}\n" + b'{"t":' * 200_000,
    "array bomb": b"v1\n{}\n" + b"[" * 1_000_000,
    "metadata bomb": b"v1\n" + b'{"a":' * 500_000 + b"\n{}",
    "line bomb": b"v1\n{}\n" + b"\n" * 1_000_000,
    "key bomb": b"v1\n{}\n{" + b'"":1,' * 1_000_000 + b"}",
    "one long line": b"v1\n{}\n" + b"x" * 10_000_000,
}


# As far as anybody can tell, another kind of source wrote these lines: that the topic is gone from the
# offsets is then what there is to say.
OF_ANOTHER_SOURCE = {"not UTF-8", "offset as text", "offset with a fraction", "negative partition",
                     "partition beyond int32", "partition as text", "array bomb", "one long line"}


@pytest.mark.parametrize("content", CONTENTS)
def test_an_offsets_file_that_spark_did_not_write_is_never_fine(scene, path, content):
    (path / "offsets" / "7").write_bytes(CONTENTS[content])
    commit(path)
    started = time.monotonic()
    if content in OF_ANOTHER_SOURCE:
        status, report = scene.check()
        assert status == 2
        assert [finding["kind"] for finding in report["findings"]] == ["source_offsets_empty"]
        assert "position" not in report["queries"][0]
    elif content == "newer version":
        status, report = scene.check()
        assert status == UNKNOWN
        assert [finding["kind"] for finding in report["findings"]] == ["log_version_unsupported"]
    else:
        reason = found_kinds(scene, "offset_log_unreadable")
        assert "offsets/7" in reason
        assert len(reason) < 2000
    assert time.monotonic() - started < 10


def fifo(place):
    os.mkfifo(place)


def directory(place):
    place.mkdir()


def loop(place):
    place.symlink_to(place.name)


def dangling(place):
    place.symlink_to("/no/such/file")


def listener(place):
    here = os.open(".", os.O_RDONLY)
    os.chdir(place.parent)  # a socket's path must be short
    server = socket.socket(socket.AF_UNIX)
    server.bind(place.name)
    server.close()
    os.fchdir(here)
    os.close(here)


def device(place):
    place.symlink_to("/dev/zero")


def huge(place):
    with open(place, "wb") as file:
        file.truncate(1 << 30)


FOREIGN = [fifo, directory, loop, dangling, listener, device, huge]

KIND_OF = {"offsets/7": "offset_log_unreadable", "commits/6": "commit_log_unreadable",
           "metadata": "query_id_missing"}


# A directory is no batch file, whatever its name.
@pytest.mark.parametrize("where, make", [
    (where, make) for where in ("offsets/7", "commits/6", "metadata") for make in FOREIGN
    if make != directory or where == "metadata"],
    ids=lambda part: getattr(part, "__name__", part))
def test_what_is_no_readable_file_is_told_and_never_waited_for(scene, path, where, make):
    place = path / where
    place.unlink(missing_ok=True)
    make(place)
    if where == "offsets/7":
        commit(path)
    started = time.monotonic()
    # What the system cannot open, because it leads to itself, may be anything.
    reason = unknown_reason(scene) if make == loop else found_kinds(scene, KIND_OF[where])
    assert where in reason
    assert time.monotonic() - started < 5


@pytest.mark.parametrize("make", [fifo, loop, dangling, huge], ids=lambda make: make.__name__)
@pytest.mark.parametrize("where", ["", "offsets", "commits"])
def test_what_is_no_directory_is_told(scene, path, where, make):
    place = path / where if where else path
    place.rename(place.with_name("moved"))
    make(place)
    assert str(place) in unknown_reason(scene)


def test_an_empty_directory_and_an_absent_one_are_unknown(scene, path):
    path.rename(path.with_name("moved"))
    assert str(path) in unknown_reason(scene)
    path.mkdir()
    assert str(path) in unknown_reason(scene)


def test_strange_names_in_a_log_do_no_harm(scene, path):
    for name in ("7.tmp", ".8.crc", ".9.5b3c.tmp", "08x", "-1", "99999999999999999999", "a\nb", "7 ",
                 "..7", "%37"):
        (path / "offsets" / name).write_text("not an offsets file")
    (path / "offsets" / b"\xff\xfe".decode("utf-8", "surrogateescape")).write_text("x")
    status, report = scene.check()
    assert (status, report["queries"][0]["newest_batch"]) == (0, 6), report


def test_a_huge_file_costs_no_memory(scene, path):
    huge(path / "offsets" / "7")
    commit(path)
    huge(path / "commits" / "8")
    daemon = scene.daemon()
    daemon.wait_polls(5)
    assert daemon.state_of("q") in ("unknown", "findings")
    assert daemon.metric("process_resident_memory_bytes") < 150e6
    assert daemon.stop() == 0


def test_a_file_that_grows_and_shrinks_while_it_is_read_never_lies(scene, path):
    """Whatever a poll met, it says a position that was once written, or nothing."""
    daemon = scene.daemon()
    place = path / "offsets" / "7"
    end = time.monotonic() + 2
    seen = set()

    def rewrite():
        offset = 7
        while time.monotonic() < end:
            text = offsets_text({"t": {"0": offset}})
            with open(place, "w") as file:
                for part in (text[:20], text[20:-3], text[-3:]):
                    file.write(part)
                    file.flush()
            offset = 7 if offset == 9 else offset + 1
    commit(path)
    writer = threading.Thread(target=rewrite)
    writer.start()
    while writer.is_alive():
        for query in daemon.report()["queries"]:
            seen.add(query.get("position", {}).get("t", {}).get("0"))
    writer.join()
    assert seen <= {None, 5, 7, 8, 9}
    assert daemon.stop() == 0


@pytest.mark.parametrize("where", ["", "offsets", "commits", "offsets/6", "commits/6"])
def test_what_may_not_be_read_says_what_to_grant(scene, path, where, as_nobody):
    scene.configure()
    os.chmod(scene.directory, 0o755)
    os.chmod(path / where, 0)
    done = as_nobody("check", f"--config.file={scene.config_file}", "--format=json")
    assert done.returncode == UNKNOWN, done.stderr
    reason = reason_for(json.loads(done.stdout), "q")
    assert "permission denied" in reason and "setfacl" in reason
    assert str(path / where).rstrip("/") in reason
    os.chmod(path / where, 0o755)


def test_a_pattern_that_may_not_be_listed_is_unknown(scene, path, as_nobody):
    scene.queries = [{"name": "{job}", "checkpoint": f"{path.parent}/{{job}}"}]
    scene.configure()
    os.chmod(path.parent, 0o311)
    done = as_nobody("check", f"--config.file={scene.config_file}", "--format=json")
    assert done.returncode == UNKNOWN
    [unknown] = json.loads(done.stdout)["unknown"]
    assert "permission denied" in unknown["reason"] and str(path.parent) in unknown["reason"]
    os.chmod(path.parent, 0o755)


@pytest.mark.parametrize("pattern", ["{job}", "{job}/checkpoint"])
def test_a_pattern_over_loops_and_files_finds_what_is_a_query(scene, path, pattern):
    for make, name in ((loop, "loop"), (dangling, "dangling"), (fifo, "fifo"), (huge, "huge")):
        make(path.parent / name)
    (path.parent / "up").symlink_to("..")
    scene.queries = [{"name": "{job}", "checkpoint": f"{path.parent}/{pattern}"}]
    status, report = scene.check()
    names = {query["query"]: query["state"] for query in report["queries"]}
    if pattern == "{job}":
        assert names["q"] == "ok" and names["up"] == "unknown"
    assert status == UNKNOWN
    assert report["unknown"]
