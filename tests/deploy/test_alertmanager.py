"""The example configuration for Alertmanager: valid, routed by severity, and silent about what
follows from something else."""

import subprocess

import pytest

from conftest import CONFIG
from servers.server import wait_until

PLACE = {"job": "tidegauge", "instance": "a"}
TOPIC = {"kafka_cluster": "main", "topic": "orders"}


def amtool(*arguments):
    result = subprocess.run(["amtool", *arguments], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout.strip()


def test_amtool_takes_it():
    assert "SUCCESS" in amtool("check-config", str(CONFIG))


@pytest.mark.parametrize(("labels", "receiver"), [
    (["alertname=TidegaugeTopicRecreated", "severity=critical"], "page"),
    (["alertname=TidegaugeRetentionHeadroomLow", "severity=warning"], "ticket"),
    (["alertname=TidegaugeSinkSmallFiles", "severity=info"], "nobody"),
    (["alertname=TidegaugeDown", "severity=critical"], "page"),
    (["alertname=TidegaugeWatchdog", "severity=none"], "watchdog"),
    (["alertname=Another"], "ticket"),
])
def test_goes_by_severity(labels, receiver):
    assert amtool("config", "routes", "test", f"--config.file={CONFIG}", *labels) == receiver


def test_names_only_alerts_that_there_are(alerts, named_in_config):
    assert len(named_in_config) > 20
    assert named_in_config - {rule["alert"] for rule in alerts} == set()


def alert(name, severity="critical", **labels):
    return {"alertname": f"Tidegauge{name}", "severity": severity, **labels}


# By the query they are about, so that no case has to do with another: what is there, and the names
# (with the severity, where a name is there twice) that are to be silent.
CASES = {
    "near": ([alert("RetentionHeadroomLow", "warning", **TOPIC),
              alert("RetentionHeadroomLow", "critical", **TOPIC)],
             {("RetentionHeadroomLow", "warning")}),
    "far": ([alert("RetentionHeadroomLow", "warning", **TOPIC),
             alert("RetentionHeadroomLow", "critical", **TOPIC, source="1")], set()),
    "another_cluster": (
        [alert("ClusterChanged", kafka_cluster="main"), alert("TopicRecreated", **TOPIC),
         alert("EndBelowCheckpoint", **TOPIC), alert("RecordsSkipped", **TOPIC),
         alert("TopicMissing", kafka_cluster="other", topic="orders"),
         alert("SinkLogGap", log="sink")],
        {("TopicRecreated", "critical"), ("EndBelowCheckpoint", "critical")}),
    "cluster_not_minded": (
        [alert("ClusterChanged", "info", kafka_cluster="main"), alert("TopicRecreated", **TOPIC)],
        set()),
    "recreated": (
        [alert("TopicRecreated", **TOPIC), alert("EndBelowCheckpoint", **TOPIC),
         alert("RecordsExpired", **TOPIC), alert("RetentionHeadroomLow", "warning", **TOPIC),
         alert("PartitionMissing", **TOPIC), alert("RecordsSkipped", **TOPIC),
         alert("RecordsExpired", "warning", kafka_cluster="main", topic="clicks"),
         alert("QueryStalled", "warning", kafka_cluster="main")],
        {("EndBelowCheckpoint", "critical"), ("RecordsExpired", "critical"),
         ("RetentionHeadroomLow", "warning"), ("PartitionMissing", "critical")}),
    "missing": (
        [alert("TopicMissing", **TOPIC), alert("PartitionMissing", **TOPIC)],
        {("PartitionMissing", "critical")}),
    "no_checkpoint": (
        [alert("CheckpointMissing"), alert("QueryUnknown", "warning"), alert("SinkLogGap", log="sink"),
         alert("TopicMissing", **TOPIC), alert("RecordsSkipped", **TOPIC)],
        {("QueryUnknown", "warning"), ("SinkLogGap", "critical"), ("TopicMissing", "critical"),
         ("RecordsSkipped", "critical")}),
    "never_seen": ([alert("CheckpointMissing", "warning"), alert("SinkLogGap", log="sink")], set()),
    "empty": ([alert("CheckpointEmpty"), alert("OffsetsMissing"), alert("TopicMissing", **TOPIC)],
              {("OffsetsMissing", "critical")}),
    "no_log": ([alert("SinkLogMissing", log="sink"), alert("SinkLogGap", log="sink"),
                alert("CompactionWillFail", "warning", log="sink")],
               {("SinkLogGap", "critical"), ("CompactionWillFail", "warning")}),
    "cannot_start": ([alert("OffsetLogUnreadable"), alert("QueryStalled"), alert("BatchStuck")],
                     {("QueryStalled", "critical"), ("BatchStuck", "critical")}),
    "of_another_query": ([alert("OffsetsMissing"), alert("EndBelowCheckpoint", **TOPIC)], set()),
}


def of(query, labels):
    return {**PLACE, "query": query, **labels}


def test_is_silent_about_what_follows(alertmanager):
    posted = [of(query, labels) for query, (there, _) in CASES.items() for labels in there]
    # On the daemon itself: no query.
    blind = {"job": "tidegauge", "instance": "blind"}
    posted += [{**blind, **alert("Down")}, {**blind, **alert("PollTooOld")},
               {**blind, **alert("QueryUnknown", "warning"), "query": "q"},
               {**blind, **alert("TopicMissing"), "query": "q", **TOPIC},
               {**PLACE, **alert("ClusterUnknown", "warning"), "kafka_cluster": "main"},
               {"job": "tidegauge", **alert("ShardMissing")},
               {"job": "another", **alert("ShardMissing")}]
    alertmanager.post(posted)
    expected = {(query, f"Tidegauge{name}", severity)
                for query, (_, silent) in CASES.items() for name, severity in silent}
    expected |= {("", "TidegaugePollTooOld", "critical"), ("q", "TidegaugeQueryUnknown", "warning"),
                 ("", "TidegaugeShardMissing", "critical")}

    def silent():
        labels = [a["labels"] for a in alertmanager.alerts() if a["status"]["inhibitedBy"]]
        assert "another" not in {one["job"] for one in labels}
        return {(one.get("query", ""), one["alertname"], one["severity"]) for one in labels}

    wait_until(lambda: len(alertmanager.alerts()) == len(posted), "all alerts")
    wait_until(lambda: silent() >= expected, "silent")
    assert silent() == expected
