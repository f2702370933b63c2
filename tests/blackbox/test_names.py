"""Names that people give to queries and directories, in everything that shows them."""

import html
import json
import os
import subprocess

import pytest
from scenes.daemon import wait_until
from scenes.scene import topic

NAMES = ["with spaces", 'double "quotes"', "single 'quotes'", "back\\slash", "ümläut", "日本語", "🌊",
         "<script>alert(1)<", "a&b", "{braces}", "$HOME", "${HOME}", "%s%n", "a=b,c", "#hash",
         "-dash", "--flag", "~", "null", "true", "0", "a:b", "a: b", "trailing ", " leading", "\u202eltr",
         "x" * 200]


@pytest.fixture
def daemon(scene):
    scene.kafka({"t": topic(3)})
    for name in NAMES:
        scene.checkpoint(name, {"t": {"0": 5}}, watched=False)
    scene.checkpoint("new\nline", {"t": {"0": 5}}, watched=False)
    scene.checkpoint("escape\x1b[31m", {"t": {"0": 5}}, watched=False)
    os.rename(scene.checkpoint("bytes", {"t": {"0": 5}}, watched=False),
              os.fsencode(scene.directory / "checkpoints") + b"/not\xff\xfeutf8")
    scene.queries = [{"name": "{job}", "checkpoint": f"{scene.directory}/checkpoints/{{job}}"}]
    daemon = scene.daemon("--log.format=json")
    yield daemon
    assert daemon.stop() == 0


def test_every_name_is_shown_as_it_is_everywhere(daemon):
    report = daemon.report()
    assert sorted(query["query"] for query in report["queries"]) == sorted(NAMES)
    assert {finding["query"] for finding in report["findings"]} == set(NAMES)
    # Names that no line of a log could hold are left out, and that is told.
    assert len([e for e in report["unknown"] if "not printable" in e["reason"]]) == 3

    metrics = daemon.metrics()
    for name in NAMES:
        label = name.replace("\\", "\\\\").replace('"', '\\"')
        assert f'tidegauge_checkpoint_up{{query="{label}"}} 1' in metrics
    checked = subprocess.run(["promtool", "check", "metrics"], input=metrics, text=True,
                             capture_output=True, timeout=30)
    assert (checked.returncode, checked.stderr) == (0, "")

    page = daemon.get("/")[1]
    assert "<script" not in page
    text = html.unescape(page)
    for name in NAMES:
        assert name.strip() in text

    logged = {json.loads(line).get("query") for line in daemon.log().splitlines()}
    assert logged >= set(NAMES)


def test_open_metrics_end_with_their_end(daemon):
    status, text = daemon.get("/metrics", headers={"Accept": "application/openmetrics-text"})
    assert status == 200
    assert text.endswith("# EOF\n")


def test_names_of_partitions_and_topics_that_kafka_allows(scene):
    name = "a" * 245 + "._-9"
    scene.kafka({name: topic(10)})
    scene.checkpoint("q", {name: {"0": 5}})
    daemon = scene.daemon()
    wait_until(lambda: f'topic="{name}"' in daemon.metrics(), "the topic")
    assert daemon.state_of("q") == "ok"
    assert daemon.stop() == 0
