"""A real Prometheus with the shipped rules scrapes a real daemon: an alert outlives the daemon's
restart, and ends when the daemon says so."""

import pytest
from scenes.daemon import wait_until
from scenes.scene import topic
from servers.prometheus import Prometheus


class Watch:
    """A daemon that may be stopped and started again, and the Prometheus that scrapes it."""

    def __init__(self, scene):
        self.scene = scene
        self.target = f"127.0.0.1:{scene.free_port()}"
        self.start()
        self.prometheus = Prometheus(scene.directory / "prometheus", self.target).start()
        wait_until(lambda: self.prometheus.value("tidegauge_ready") == 1, "a scrape")

    def start(self):
        self.daemon = self.scene.process([self.scene.binary, f"--config.file={self.scene.config_file}",
                                          f"--web.listen-address={self.target}"])

    def wait_down(self):
        """Until some scrapes in a row have failed, and rules were evaluated meanwhile."""
        wait_until(lambda: self.prometheus.value('max_over_time(up{job="tidegauge"}[1s])') == 0, "down")

    def wait_polled_and_scraped(self):
        """Until Prometheus has evaluated a page that the daemon's present process made of a poll."""
        self.daemon.wait_ready()
        polled = self.daemon.metric("tidegauge_last_poll_timestamp_seconds")
        seen = f"min_over_time(tidegauge_last_poll_timestamp_seconds[400ms]) > {polled}"
        wait_until(lambda: self.prometheus.value(seen), "the page")


@pytest.fixture
def watch(scene):
    scene.healthy()
    scene.kafka({})
    scene.configure()
    watch = Watch(scene)
    yield watch
    watch.prometheus.stop()


def test_an_alert_outlives_a_restart_and_ends_with_its_finding(scene, watch):
    prometheus = watch.prometheus
    wait_until(lambda: prometheus.begins("TidegaugeTopicMissing"), "the alert")
    began = prometheus.begins("TidegaugeTopicMissing")

    assert watch.daemon.stop() == 0
    watch.wait_down()
    assert prometheus.begins("TidegaugeTopicMissing") == began
    watch.start()
    watch.wait_polled_and_scraped()
    assert prometheus.begins("TidegaugeTopicMissing") == began

    scene.kafka({"t": topic(10)})
    wait_until(lambda: not prometheus.begins("TidegaugeTopicMissing"), "its end")
    # A page that cannot be had brings nothing back.
    assert watch.daemon.stop() == 0
    watch.wait_down()
    assert prometheus.begins("TidegaugeTopicMissing") == []


def test_what_ended_while_the_daemon_was_away_ends_with_its_first_poll(scene, watch):
    prometheus = watch.prometheus
    wait_until(lambda: prometheus.begins("TidegaugeTopicMissing"), "the alert")
    assert watch.daemon.stop() == 0
    watch.wait_down()
    scene.kafka({"t": topic(10)})
    assert prometheus.begins("TidegaugeTopicMissing")
    watch.start()
    wait_until(lambda: not prometheus.begins("TidegaugeTopicMissing"), "its end")


def test_prometheus_evaluates_every_rule(watch):
    def rules():
        return [rule for group in watch.prometheus.ask("/api/v1/rules")["groups"]
                for rule in group["rules"]]

    wait_until(lambda: all(rule["health"] != "unknown" for rule in rules()), "an evaluation")
    assert len(rules()) > 40
    assert [rule for rule in rules() if rule["health"] != "ok"] == []
    assert watch.prometheus.begins("TidegaugeWatchdog")
