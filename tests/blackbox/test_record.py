"""A recording, judged elsewhere, says the same."""

import json
import os
import shutil
import subprocess

import pytest
from scenes.scene import OTHER_ID, offsets_text, topic
from scenes.sinks import entry, query_with_sink, sink


def told(report):
    """What does not depend on when and where it was judged."""
    return {"queries": [{k: v for k, v in q.items() if k != "remembered_since"}
                        for q in report["queries"]],
            "findings": [{k: v for k, v in f.items() if k not in ("since", "summary")}
                         for f in report["findings"]],
            "unknown": report["unknown"]}


def record(scene, *arguments, status=0):
    done = scene.run("record", f"--config.file={scene.config_file}",
                     f"--output={scene.directory}/recording", *arguments)
    assert done.returncode == status, done.stderr
    return done


def judge_recording(scene):
    done = scene.run("check", "--config.file=config.yaml", "--format=json",
                     cwd=scene.directory / "recording",
                     env={"PATH": os.environ["PATH"], "PWD": f"{scene.directory}/recording"})
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


NAMES = ["plain", "with spaces", 'double "quotes"', "single 'quotes'", "back\\slash", "ümläut",
         "{braces}", "$HOME", "${HOME}", "a: b #c", "-dash", "null", "~", "team/job",
         "..", "../escape", "x/../y", "{", "[", "&a", "!t", "%d", "@at", "`tick`", "trailing "]


def test_a_recording_gives_the_same_findings(scene):
    scene.recreated("recreated")
    scene.checkpoint("committed", {"t": {"0": 700}}, {"t": {"0": 300}})
    scene.checkpoint("in flight", {"t": {"0": 10}}, {"t": {"0": 20}}, committed=False)
    scene.checkpoint("lost partition", {"t": {"0": 5, "1": 5}}, {"t": {"0": 6}})
    scene.checkpoint("missing", {"u": {"0": 5}})
    status, report = scene.check()
    assert status == 2 and len(report["findings"]) >= 4
    done = record(scene)
    assert str(scene.directory / "recording") in done.stdout
    recorded_status, recorded = judge_recording(scene)
    assert told(recorded) == told(report)
    assert recorded_status == status


def occupied(directory):
    return sum(path.stat().st_blocks * 512 for path in directory.rglob("*"))


def test_the_logs_of_sinks_and_sources_give_the_same_findings(scene):
    scene.kafka({"t": topic(10)})
    query_with_sink(scene, "whole", 23)
    query_with_sink(scene, "gap", 23, "19.compact", "21")
    query_with_sink(scene, "every fourth", 9, "7.compact", compact_interval=4)
    query_with_sink(scene, "other interval", 6, compact_interval=3)
    scene.queries[-1]["compact_interval"] = 5
    torn = query_with_sink(scene, "torn", 5)
    (torn / "3").write_text("v1\n" + entry(3)[:20])
    (torn / "4").write_text("")
    (torn / "5").unlink()
    (torn / "5").mkdir()
    shutil.rmtree(query_with_sink(scene, "deleted", 3))
    shutil.rmtree(query_with_sink(scene, "no output", 3).parent)
    query_with_sink(scene, "on purpose", 3, "1", sink_log=False)
    ahead = query_with_sink(scene, "ahead", 8)
    for log in ("offsets", "commits"):
        for batch in range(3, 9):
            (scene.directory / "checkpoints" / "ahead" / log / str(batch)).unlink()
    source = scene.checkpoint("source", *[json.dumps({"logOffset": 12})] * 2)
    for batch in range(2):
        scene.batch(source, batch, "v1\n" + json.dumps({"batchTimestampMs": 1796000000000}) +
                    "\n" + json.dumps({"logOffset": 12}))
    sink(scene, "", 12, "9.compact", log=source / "sources" / "0")
    status, report = scene.check()
    assert status == 2
    kinds = {finding["kind"] for finding in report["findings"]}
    assert kinds >= {"sink_log_gap", "compaction_will_fail", "sink_log_unreadable",
                     "sink_log_missing", "sink_ahead_of_checkpoint", "compact_interval_changed"}
    assert [f["query"] for f in report["findings"]].count("source") == 1
    assert ahead.exists()
    record(scene)
    recorded_status, recorded = judge_recording(scene)
    assert told(recorded) == told(report)
    assert recorded_status == status
    assert not {"whole", "on purpose"} & {finding["query"] for finding in recorded["findings"]}


def test_a_compact_file_of_gigabytes_is_recorded_in_no_room(scene):
    scene.kafka({"t": topic(10)})
    log = query_with_sink(scene, "large", 21)
    for batch, gigabytes in ((9, 2), (19, 5)):
        with open(log / f"{batch}.compact", "r+b") as file:
            head = (entry(0) + "\n").encode() * 1000
            file.write(b"v1\n" + head)
            file.truncate(gigabytes << 30)
            file.seek(0, os.SEEK_END)
            file.write(b"\n" + head[:-1])
    os.utime(log / "19.compact", (1796000000, 1796000000))
    status, report = scene.check()
    assert [finding["kind"] for finding in report["findings"]] == ["compact_log_large"]
    done = record(scene)
    recorded_status, recorded = judge_recording(scene)
    assert told(recorded) == told(report)
    assert recorded_status == status
    copy = scene.directory / "recording" / "sinks" / "large" / "_spark_metadata"
    assert {f.name: f.stat().st_size for f in copy.iterdir()} == {
        f.name: f.stat().st_size for f in log.iterdir()}
    assert (copy / "19.compact").stat().st_mtime == 1796000000
    assert (copy / "21").read_text() == (log / "21").read_text()
    assert occupied(scene.directory / "recording") < 1 << 20
    assert done.stdout.endswith("recording\n")


def test_data_files_are_not_recorded_nor_missed(scene):
    """A recording that was scanned would have lost all of them."""
    scene.kafka({"t": topic(10)})
    output = scene.directory / "out" / "scanned"
    query_with_sink(scene, "scanned", 3, scan_data_files=True, directory=output)
    for batch in range(4):
        (output / f"part-{batch}").write_text("123456")
    status, report = scene.check()
    assert (status, report["findings"], report["unknown"]) == (0, [], [])
    assert report["queries"][0]["data_files"]["listed"] == 4
    done = record(scene)
    assert "query scanned: data files are not recorded" in done.stderr
    status, recorded = judge_recording(scene)
    assert (status, recorded["findings"], recorded["unknown"]) == (0, [], [])
    assert "data_files" not in recorded["queries"][0]
    config = (scene.directory / "recording" / "config.yaml").read_text()
    assert "# Data files are not recorded, and not judged: scan_data_files" in config
    assert "scan_data_files: false" in config


def test_a_recording_of_queries_that_were_not_scanned_says_nothing_of_it(scene):
    scene.healthy("plain")
    scene.configure()
    done = record(scene)
    assert "data files" not in done.stderr
    config = (scene.directory / "recording" / "config.yaml").read_text()
    assert "# Data files" not in config


def test_a_log_that_cannot_be_read_is_left_out_whole(scene):
    scene.kafka({"t": topic(10)})
    log = query_with_sink(scene, "looping", 3)
    shutil.rmtree(log)
    log.symlink_to(log)
    scene.configure()
    done = record(scene, status=1)
    assert "looping" in done.stderr
    status, recorded = judge_recording(scene)
    assert status == 0
    assert recorded["findings"] == []


def test_any_name_can_be_recorded_and_nothing_is_written_elsewhere(scene):
    scene.kafka({"t": topic(3)})
    captured = scene.directory / "captured"
    for number, name in enumerate(NAMES):
        path = scene.checkpoint(f"c{number}", {"t": {"0": 5}}, watched=False)
        if "{" not in name:
            scene.queries.append({"name": name, "checkpoint": str(path)})
        else:  # only a directory can bring these into a name
            captured.mkdir(exist_ok=True)
            path.rename(captured / name)
    scene.queries.append({"name": "{job}", "checkpoint": f"{captured}/{{job}}"})
    status, report = scene.check()
    assert status == 2
    before = set(os.listdir(scene.directory))
    record(scene)
    assert set(os.listdir(scene.directory)) - before == {"recording"}
    recorded_status, recorded = judge_recording(scene)
    assert recorded_status == 2
    # A name of a configuration cannot hold braces.
    assert {f["query"] for f in recorded["findings"]} == {
        f["query"].replace("{", "(").replace("}", ")") for f in report["findings"]}


def test_one_query_can_be_recorded(scene):
    scene.recreated("first")
    scene.checkpoint("second", {"t": {"0": 400}})
    scene.configure()
    record(scene, "--query=first")
    _, recorded = judge_recording(scene)
    assert [query["query"] for query in recorded["queries"]] == ["first"]


def test_what_cannot_be_read_is_recorded_as_far_as_it_goes(scene):
    scene.recreated("good")
    torn = scene.checkpoint("torn", "v1\n{")
    os.mkfifo(torn / "offsets" / "7")
    gone = scene.checkpoint("gone", {"t": {"0": 4}})
    gone.rename(scene.directory / "moved")
    scene.clusters.append({"name": "down", "bootstrap_servers": f"127.0.0.1:{scene.free_port()}",
                           "timeout": "1s"})
    for query in scene.queries:
        query["kafka"] = "main"
    scene.checkpoint("unanswered", {"t": {"0": 4}})
    scene.queries[-1]["kafka"] = "down"
    scene.configure()
    done = record(scene, status=1)
    assert "left out" in done.stdout
    for word in ("torn", "gone", "down"):
        assert word in done.stderr
    status, recorded = judge_recording(scene)
    assert status == 2
    states = {query["query"]: query["state"] for query in recorded["queries"]}
    assert states == {"good": "findings", "torn": "findings", "gone": "unknown",
                      "unanswered": "unknown"}


@pytest.mark.parametrize("prepare, arguments, word", [
    (lambda scene: (scene.directory / "recording").mkdir(), [], "exists"),
    (lambda scene: None, ["--query=nobody"], "nobody"),
    (lambda scene: None, ["--output=/proc/recording"], "/proc/recording"),
], ids=["there already", "no such query", "not writable"])
def test_what_cannot_be_recorded_is_told(scene, prepare, arguments, word):
    scene.healthy()
    scene.configure()
    prepare(scene)
    command = ["record", f"--config.file={scene.config_file}"]
    if not any(argument.startswith("--output") for argument in arguments):
        command.append(f"--output={scene.directory}/recording")
    done = scene.run(*command, *arguments)
    assert done.returncode == 1
    assert word in done.stderr


def test_a_recording_that_does_not_fit_on_the_disk_is_no_success(scene):
    path = scene.healthy()
    for batch in range(1, 60):
        scene.batch(path, batch, offsets_text({"t": {"0": 5}}) + " " * 20000)
    scene.kafka({"t": topic(10, id=OTHER_ID)})
    scene.configure()
    place = scene.directory / "small"
    place.mkdir()
    user = [] if os.geteuid() == 0 else ["--map-root-user"]
    done = subprocess.run(
        ["unshare", "--mount", *user, "--", "sh", "-c",
         f'mount -t tmpfs -o size=256k none "{place}" && exec "{scene.binary}" record '
         f'--config.file="{scene.config_file}" --output="{place}/recording"'],
        capture_output=True, text=True, timeout=30)
    assert done.returncode == 1
    assert str(place) in done.stderr
