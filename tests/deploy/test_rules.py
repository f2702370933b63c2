"""The rules for Prometheus: every kind fires and resolves, and each alert has what a pager needs."""

import re
import subprocess

import yaml

from conftest import ROOT, RULES

ROOM = {"kafka_cluster": "main", "topic": "t", "log": "sink"}


def promtool(*arguments):
    result = subprocess.run(["promtool", *map(str, arguments)], capture_output=True, text=True,
                            check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_promtool_takes_them(groups):
    count = sum(len(rules) for rules in groups.values())
    assert f"SUCCESS: {count} rules found" in promtool("check", "rules", RULES)


def test_each_alert_says_what_a_pager_needs(groups, alerts):
    for rule in alerts:
        notes = rule["annotations"]
        assert re.fullmatch(r"Tidegauge[A-Za-z]+", rule["alert"])
        assert notes["summary"].endswith(".") and "{{" not in notes["summary"]
        assert notes["description"] and notes["runbook_url"]
        assert re.search(r" (==|<|>|>=) ", rule["expr"].replace("\n", " "))
    for rule in groups["tidegauge-daemon"]:
        assert rule["labels"]["severity"] in ("critical", "warning", "none")


def series(name, labels, values):
    text = ",".join(f'{key}="{value}"' for key, value in labels.items())
    return {"series": f"{name}{{{text}}}", "values": values}


def test_every_kind_fires_and_resolves(groups, tmp_path):
    kinds = {re.search(r'kind="(\w+)"', rule["expr"])[1]: rule["alert"]
             for rule in groups["tidegauge-findings"] if "alert" in rule}
    assert len(kinds) > 30
    place = {"job": "tidegauge", "instance": "a"}
    there = [series("up", place, "1x5"),
             series("tidegauge_last_poll_timestamp_seconds", place, "0+60x5")]
    there += [series("tidegauge_finding", {**place, "kind": kind, "severity": "info", "query": "q",
                                           **ROOM}, "_ 1 1 stale") for kind in kinds]
    firing = 'count by (alertname, kind) (ALERTS{alertstate="firing",query="q"})'
    expected = [{"labels": f'{{alertname="{alert}",kind="{kind}"}}', "value": 1}
                for kind, alert in kinds.items()]
    test = {"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": [{
        "interval": "1m", "input_series": there, "promql_expr_test": [
            {"expr": firing, "eval_time": "0m"},
            {"expr": firing, "eval_time": "1m", "exp_samples": expected},
            {"expr": firing, "eval_time": "2m", "exp_samples": expected},
            # What has a horizon is kept for a while against flapping.
            {"expr": firing.replace('"q"', '"q",alertname!="TidegaugeCompactionWillFail"'),
             "eval_time": "3m"}]}]}
    file = tmp_path / "kinds.yml"
    file.write_text(yaml.safe_dump(test))
    promtool("test", "rules", file)


def test_every_series_is_one_that_the_daemon_has():
    rules = re.sub(r"(?m)^ *(alert|record|summary|description|runbook_url): .*$", "", RULES.read_text())
    asked = set(re.findall(r"(?<![:\w])tidegauge_\w+\b", rules))
    page = (ROOT / "tests/daemon/expose/testdata/metrics.prom").read_text()
    assert len(asked) > 8
    assert asked - set(re.findall(r"(?m)^# TYPE (\w+) ", page)) == set()
