"""The dashboard for Grafana: each of its expressions finds data in a real Prometheus that scrapes a
real daemon, and its first row never takes what is unknown for fine."""

import json
import os
import re
from pathlib import Path

import pytest
import yaml
from scenes.daemon import wait_until
from scenes.scene import OTHER_ID, TOPIC_ID, now_ms, partition, topic
from scenes.sinks import query_with_sink
from servers.alertmanager import PostServer
from servers.prometheus import Prometheus

FOLDER = Path(__file__).resolve().parents[2] / "deploy/grafana"
TEXT = (FOLDER / "tidegauge.json").read_text(encoding="utf-8")
DASHBOARD = json.loads(TEXT)
VARIABLES = {variable["name"]: variable for variable in DASHBOARD["templating"]["list"]}
# What Grafana puts in for them, with everything chosen.
VALUES = {"job": "tidegauge", "instance": ".*", "query": ".*", "__rate_interval": "1m"}


def panels_of(holder):
    """Also those that a folded row holds."""
    for panel in holder["panels"]:
        yield panel
        yield from panels_of({"panels": panel.get("panels", [])})


PANELS = list(panels_of(DASHBOARD))
SHOWN = [panel for panel in PANELS if panel["type"] != "row"]


def fill_in(text):
    filled = re.sub(r"\$\{?(\w+)\}?", lambda match: VALUES[match[1]], text)
    assert "$" not in filled
    return filled


def expression_of(title):
    [panel] = [panel for panel in SHOWN if panel["title"] == title]
    [target] = panel["targets"]
    return fill_in(target["expr"])


# (panel and target, expression)
EXPRESSIONS = [(f"{panel['title']} {target['refId']}", fill_in(target["expr"]))
               for panel in SHOWN for target in panel["targets"]]
# (label, series) of each label_values()
LABELS = [re.fullmatch(r"label_values\((.+), (\w+)\)", fill_in(variable["query"]["query"])).group(2, 1)
          for variable in VARIABLES.values() if variable["type"] == "query"]

# ------------------------------------------------------------------ with nothing running


def test_it_is_written_as_grafana_exports_it():
    assert json.dumps(DASHBOARD, indent=2, sort_keys=True, ensure_ascii=False) + "\n" == TEXT
    assert DASHBOARD["uid"] == "tidegauge" and DASHBOARD["id"] is None
    assert DASHBOARD["schemaVersion"] >= 36


def test_no_panel_covers_another():
    assert len({panel["id"] for panel in PANELS}) == len(PANELS)
    covered = {}
    for panel in PANELS:
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24
        for x in range(place["x"], place["x"] + place["w"]):
            for y in range(place["y"], place["y"] + place["h"]):
                assert (x, y) not in covered, f"{panel['title']} lies on {covered[x, y]}"
                covered[x, y] = panel["title"]


@pytest.mark.parametrize("panel", SHOWN, ids=lambda panel: panel["title"])
def test_a_panel_says_what_it_shows(panel):
    assert panel["description"].endswith(".")
    assert panel["fieldConfig"]["defaults"]["unit"]
    # Now means now: the last value of a range may be hours old.
    is_now = panel["type"] in ("stat", "table", "bargauge")
    for target in panel["targets"]:
        assert (target["instant"], target["range"]) == (is_now, not is_now)
        if panel["type"] == "timeseries" or panel["type"] == "bargauge":
            assert target["legendFormat"]


def thresholds_of(panel):
    config = panel["fieldConfig"]
    yield config["defaults"]["thresholds"]["steps"]
    for override in config["overrides"]:
        for setting in override["properties"]:
            if setting["id"] == "thresholds":
                yield setting["value"]["steps"]


def test_what_is_unknown_is_not_green():
    for panel in SHOWN:
        if panel["type"] == "stat":
            [unknown] = [one["options"] for one in panel["fieldConfig"]["defaults"]["mappings"]
                         if one["type"] == "special"]
            assert unknown["match"] == "null+nan" and unknown["result"]["text"] == "unknown"
        if panel["type"] == "table":  # an empty cell has the colour of the lowest step
            assert all(steps[0] == {"color": "transparent", "value": None}
                       for steps in thresholds_of(panel)), panel["title"]


def test_every_series_is_chosen_by_the_variables():
    """All that a panel shows is of the data source, daemons and queries that were chosen."""
    source = {"type": "prometheus", "uid": "${datasource}"}
    assert all(panel["datasource"] == source for panel in SHOWN)
    assert all(variable["datasource"] == source for variable in VARIABLES.values()
               if variable["type"] == "query")
    assert TEXT.count('"uid"') == TEXT.count('"uid": "${datasource}"') + 1
    for panel in SHOWN:
        for target in panel["targets"]:
            series = re.findall(r"\b(?:tidegauge|process)_\w+|\bup\b", target["expr"])
            chosen = re.findall(r'\{[^{}]*job=~"\$job",instance=~"\$instance"[^{}]*\}', target["expr"])
            assert len(series) == len(chosen), target["expr"]


def test_the_provisioning_example_is_whole():
    providers = yaml.safe_load((FOLDER / "provisioning/dashboards/tidegauge.yml").read_text())
    sources = yaml.safe_load((FOLDER / "provisioning/datasources/prometheus.yml").read_text())
    assert [one["type"] for one in providers["providers"]] == ["file"]
    assert [one["type"] for one in sources["datasources"]] == [VARIABLES["datasource"]["query"]]


# ------------------------------------------------------------------ with everything running

@pytest.fixture
def alertmanager():
    server = PostServer(lambda *_: 200)
    yield server
    server.stop()


def answer(scene, log_start, **others):
    """Topics: one that retention shortens, and one that was recreated."""
    recreated = partition(800, by_time=[[now_ms() - 1000, 0]])
    scene.kafka({"t": {"id": TOPIC_ID, "partitions": {0: partition(1000, log_start)}},
                 "r": {"id": OTHER_ID, "timestamp_type": "LogAppendTime",
                       "partitions": {0: recreated}}, **others})


@pytest.fixture
def watched(scene, alertmanager):
    """A daemon that has something to say in every family of series, and the Prometheus that scrapes
    it: (daemon, Prometheus)."""
    answer(scene, 0)
    scene.checkpoint("reading", {"t": {"0": 900}})
    scene.checkpoint("recreated", {"r": {"0": 500}})
    scene.checkpoint("wavering", {"w": {"0": 10}})
    scene.unknown("unreadable")
    log = query_with_sink(scene, "dying", 23, "21", every_ms=60_000)
    planned = now_ms() / 1000 - 5 * 60
    os.utime(log / "19.compact", (planned + 20, planned + 20))
    output = scene.directory / "out" / "whole"
    query_with_sink(scene, "whole", 23, scan_data_files=True, directory=output)
    for number in range(24):
        (output / f"part-{number}").write_text("123456")
    scene.configure(alertmanager={"urls": alertmanager.url, "resend_delay": "1s"})
    daemon = scene.daemon()
    prometheus = Prometheus(scene.directory / "prometheus", daemon.address).start()
    yield daemon, prometheus
    prometheus.stop()


def test_every_expression_finds_data(scene, watched):
    daemon, prometheus = watched
    missing = 'count(tidegauge_finding{kind="topic_missing"}) or 0 * tidegauge_ready'
    for log_start, there in enumerate([{}, {"w": topic(10)}, {}]):
        answer(scene, log_start, **there)
        wait_until(lambda: prometheus.value(missing) == (not there), "a scrape")

    for name, expression in EXPRESSIONS:
        wait_until(lambda: prometheus.value(expression) is not None, f"{name}: {expression}")
    for label, series in LABELS:
        assert prometheus.ask(f"/api/v1/label/{label}/values", **{"match[]": series}), label

    exposed = set(re.findall(r"(?m)^# TYPE (\w+) ", daemon.metrics()))
    asked = set(re.findall(r"\b(?:tidegauge|process)_\w+", " ".join(text for _, text in EXPRESSIONS)))
    assert len(asked) > 50 and asked - exposed == set()


def test_the_first_row_tells_what_is_broken_and_what_breaks_next(scene, watched):
    daemon, prometheus = watched
    findings = {finding["kind"]: finding for finding in daemon.report()["findings"]}
    assert {"topic_recreated", "topic_missing", "sink_log_gap", "compaction_will_fail"} <= findings.keys()
    critical = [finding for finding in daemon.report()["findings"] if finding["severity"] == "critical"]
    wait_until(lambda: prometheus.value(expression_of("Critical")) == len(critical), "as in the report")
    assert prometheus.value(expression_of("Warnings")) == 0
    assert prometheus.value(expression_of("Queries not judged")) == 1
    assert prometheus.value(expression_of("Clusters that do not answer")) == 0
    assert prometheus.value(expression_of("Daemons that do not look")) == 0
    # Batch 24 is next, 29 compacts: five minutes and a little, of which one is over.
    expected = prometheus.value(expression_of("Next failure expected")) - now_ms()
    assert 3 * 60_000 < expected < 6 * 60_000

    assert daemon.stop() == 0
    wait_until(lambda: prometheus.value(expression_of("Daemons that do not look")) == 1, "down")
    for title in ("Critical", "Warnings", "Next failure expected", "Queries not judged",
                  "Clusters that do not answer"):
        assert prometheus.value(expression_of(title)) is None, title


def test_where_nothing_is_wrong_it_says_so(scene):
    scene.healthy()
    daemon = scene.daemon()
    prometheus = Prometheus(scene.directory / "prometheus", daemon.address).start()
    try:
        for panel in SHOWN:
            if panel["type"] == "stat":
                title = panel["title"]
                wait_until(lambda: prometheus.value(expression_of(title)) == 0, title)
    finally:
        prometheus.stop()
