"""A script waits on a gate: what it is told, and how soon it is let go."""

import time

from scenes.scene import topic

REACHED, NOT_YET, REFUSED, UNKNOWN, USAGE = 0, 1, 2, 3, 64


def gate(scene, step, *arguments):
    scene.configure()
    return scene.run("gate", step, *arguments, f"--config.file={scene.config_file}",
                     "--timeout=600ms", "--interval=100ms")


def test_an_open_gate_says_what_to_do_next(scene):
    scene.checkpoint("q", {"t": {"0": 5}})
    scene.kafka({"t": topic(5)})
    done = gate(scene, "drained", "t")
    assert done.returncode == REACHED, done
    assert "tidegauge gate recreated t" in done.stdout


def test_a_shut_gate_ends_at_its_deadline_and_says_why(scene):
    scene.checkpoint("q", {"t": {"0": 4}})
    scene.kafka({"t": topic(5)})
    begun = time.monotonic()
    done = gate(scene, "drained", "t")
    assert (done.returncode, done.stdout) == (NOT_YET, "")
    assert time.monotonic() - begun < 5
    assert "q: 1 records of partition 0 are not read yet" in done.stderr


def test_a_checkpoint_that_cannot_be_read_keeps_it_shut(scene):
    scene.checkpoint("q", {"t": {"0": 5}})
    scene.checkpoint("torn", "v1\n{")
    scene.kafka({"t": topic(5)})
    assert gate(scene, "drained", "t").returncode == UNKNOWN
    assert gate(scene, "drained", "t", "--query=q").returncode == REACHED


def test_a_topic_that_nobody_reads_is_refused_at_once(scene):
    scene.healthy()
    done = gate(scene, "drained", "nobody_reads_this")
    assert done.returncode == REFUSED
    assert "no query reads topic nobody_reads_this" in done.stderr


def test_one_of_several_clusters_has_to_be_named(scene):
    scene.checkpoint("q", {"t": {"0": 5}})
    scene.kafka({"t": topic(5)})
    scene.queries[-1]["kafka"] = "main"
    scene.clusters.append({"name": "spare", "replay_file": str(scene.kafka_file)})
    done = gate(scene, "drained", "t")
    assert (done.returncode, "--kafka with one of main, spare" in done.stderr) == (USAGE, True)
    assert gate(scene, "drained", "t", "--kafka=typo").returncode == USAGE
    assert gate(scene, "drained", "t", "--kafka=main").returncode == REACHED
    assert gate(scene, "drained", "t", "--kafka=spare").returncode == REFUSED
