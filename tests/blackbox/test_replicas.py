"""Two daemons watch the same queries, and somebody is told once."""


import pytest
import yaml
from scenes.daemon import wait_until
from servers.alertmanager import CONFIG, Alertmanager, Receiver
from servers.prometheus import RULES, Prometheus

RECREATED = "TidegaugeTopicRecreated"
RELABEL = yaml.safe_load((RULES.parent / "alert_relabel_configs.yml").read_text())


@pytest.fixture
def receiver(running):
    return running(Receiver())


@pytest.fixture
def manager(scene, running, receiver):
    return running(Alertmanager(scene.directory / "manager", CONFIG.format(url=receiver.url)).start())


def start_both(scene, **settings):
    scene.recreated("q")
    scene.configure(**settings)
    return [scene.daemon(f"--state.dir={scene.directory}/state.{name}") for name in "ab"]


def told(receiver):
    return [status for status, name in receiver.heard() if name == RECREATED]


def mend(scene):
    """The offsets are corrected."""
    scene.batch(scene.directory / "checkpoints/q", 0, {"t": {"0": 0}})


def test_what_both_deliver_is_one_alert(scene, manager, receiver):
    daemons = start_both(scene, alertmanager={"urls": manager.url, "resend_delay": "3s"})
    sent = f'tidegauge_notifications_sent_total{{alertmanager="{manager.url}"}}'
    for daemon in daemons:
        wait_until(lambda d=daemon: (d.metric(sent) or 0) > 0, "both have told it")
    wait_until(lambda: told(receiver), "a notification")
    assert manager.names().count(RECREATED) == 1
    # One of them ends; the other keeps it firing, beyond what the first had promised.
    assert daemons.pop().stop() == 0
    mentioned = daemons[0].metric(sent)
    wait_until(lambda: daemons[0].metric(sent) > mentioned, "a repeat")
    assert manager.names().count(RECREATED) == 1
    assert told(receiver) == ["firing"]
    mend(scene)
    wait_until(lambda: len(told(receiver)) > 1, "its end")
    assert told(receiver) == ["firing", "resolved"]


def test_what_prometheus_sees_in_both_is_one_alert(scene, running, manager, receiver):
    daemons = start_both(scene)
    prometheus = running(Prometheus(scene.directory / "prometheus", *(d.address for d in daemons),
                                    alertmanager=manager, relabel=RELABEL).start())
    wait_until(lambda: prometheus.value("count(tidegauge_ready)") == 2, "a scrape of each")
    wait_until(lambda: len(prometheus.begins(RECREATED)) == 2, "an alert from each")
    wait_until(lambda: told(receiver), "a notification")
    [alert] = [a for a in manager.alerts() if a["labels"]["alertname"] == RECREATED]
    assert alert["labels"] == {"alertname": RECREATED, "kind": "topic_recreated", "query": "q",
                               "severity": "critical", "kafka_cluster": "main", "topic": "t",
                               "job": "tidegauge"}
    mend(scene)
    wait_until(lambda: prometheus.begins(RECREATED) == [], "its end")
    wait_until(lambda: len(told(receiver)) > 1, "its end is told")
    assert told(receiver) == ["firing", "resolved"]


