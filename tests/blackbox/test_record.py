"""A recording, judged elsewhere, says the same."""

import json
import os
import subprocess

import pytest
from scenes.scene import OTHER_ID, offsets_text, topic


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
