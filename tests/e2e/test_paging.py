"""From what happens to the pager: one page, in time, with the right labels, and one more when it is
over. Through Prometheus, and without it."""

import contextlib
import json
import time

import pytest
from servers.alertmanager import CONFIG, Alertmanager, Receiver
from servers.prometheus import INTERVAL, Prometheus

from support.plan import carry_out
from support.process import wait_until
from support.tidegauge import EXIT_OK, EXIT_UNKNOWN, POLL_INTERVAL
from support.watched import Watched, all_records

# The group wait of the tests' Alertmanager is none.
IN_TIME = POLL_INTERVAL + INTERVAL + 0 + 5
QUIET = 4  # a second page would have come by then


class Pager:
    """A daemon, an Alertmanager, whoever is between them, and who is paged."""

    def __init__(self, lab, directory, name, entry, through_prometheus):
        self._query = name
        with contextlib.ExitStack() as stack:
            def keep(server):
                stack.callback(server.stop)
                return server
            self._receiver = keep(Receiver())
            manager = keep(Alertmanager(directory / "manager",
                                        CONFIG.format(url=self._receiver.url))).start()
            direct = {} if through_prometheus else {"alertmanager": {"urls": manager.url}}
            self.daemon = keep(lab.new_daemon(f"paging_{name}", {name: entry}, **direct))
            self.daemon.start()
            if through_prometheus:
                target = f"127.0.0.1:{self.daemon.port}"
                prometheus = keep(Prometheus(directory / "prometheus", target, alertmanager=manager)).start()
                wait_until(lambda: prometheus.value("tidegauge_ready"), "Prometheus has scraped")
            self.stop = stack.pop_all().close

    def heard(self, alert):
        return [(post["status"], one["labels"]) for post in self._receiver.posts
                for one in post["alerts"] if one["labels"]["alertname"] == alert]

    def pages(self, alert, **labels):
        """Since this moment: one page, in time, with these labels."""
        begin = time.monotonic()
        wait_until(lambda: self.heard(alert), f"a page for {alert}", 60)
        took = time.monotonic() - begin
        time.sleep(QUIET)
        ((status, has),) = self.heard(alert)
        assert status == "firing"
        labels = {"query": self._query, "severity": "critical", **labels}
        assert labels.items() <= has.items()
        assert took < IN_TIME

    def ends(self, alert):
        wait_until(lambda: len(self.heard(alert)) > 1, f"the end of {alert}", 60)
        time.sleep(QUIET)
        assert [status for status, _ in self.heard(alert)] == ["firing", "resolved"]

    def remedies(self, kind, files):
        done = self.daemon.command("plan", self._query, f"--output={files}", "--format=json")
        assert done.returncode in (EXIT_OK, EXIT_UNKNOWN), done
        (found,) = [f for f in json.loads(done.stdout)["findings"] if f["kind"] == kind]
        return {remedy["id"]: remedy for remedy in found["remedies"]}


@pytest.fixture(params=["prometheus", "direct"])
def page(request, lab, tmp_path):
    """A function that watches one query, and gives its pager."""
    with contextlib.ExitStack() as stack:
        def watch(query, entry):
            pager = Pager(lab, tmp_path, query.name, entry, request.param == "prometheus")
            stack.callback(pager.stop)
            return pager
        watch.name = request.param
        yield watch


def test_a_topic_that_was_recreated_above_the_checkpoint(lab, topics, page, tmp_path):
    query = lab.consumed(f"page_{page.name}", [100])
    pager = page(query, {"checkpoint": str(query.checkpoint)})
    pager.daemon.wait_polls(2)
    topics.recreate(query.topic)
    topics.produce(query.topic, [150])
    pager.pages("TidegaugeTopicRecreated", topic=query.topic, kafka_cluster="main",
                kind="topic_recreated")
    remedies = pager.remedies("topic_recreated", tmp_path / "plan")
    carry_out(pager.daemon, remedies["correct_offsets"], tmp_path / "plan")
    assert query.run() is None
    pager.ends("TidegaugeTopicRecreated")


def test_a_log_that_was_deleted(lab, topics, page, tmp_path):
    sink = Watched(lab, topics, f"page_log_{page.name}")
    sink.batches(2)
    pager = page(sink.query, sink.entry)
    pager.daemon.wait_polls(2)
    sink.delete_log()
    pager.pages("TidegaugeSinkLogMissing", log="sink", kind="sink_log_missing")
    remedies = pager.remedies("sink_log_missing", tmp_path / "plan")
    carry_out(pager.daemon, remedies["rebuild"], tmp_path / "plan")
    pager.ends("TidegaugeSinkLogMissing")
    assert sink.batch() is None
    assert sink.read(lab.session) == all_records(topics, sink.query.topic)
