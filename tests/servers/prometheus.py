"""A real Prometheus with the shipped rules."""

import json
import shutil
import urllib.parse
import urllib.request
from pathlib import Path

from servers.server import Server

RULES = Path(__file__).resolve().parents[2] / "deploy/prometheus/tidegauge.rules.yml"
INTERVAL = 0.2  # of scrapes and of evaluations, in seconds


class Prometheus(Server):
    """Scrapes these targets, and tells `alertmanager`, if any, what the `relabel` configurations leave.
    `client`: how it is to scrape (scheme, tls_config, basic_auth)."""

    def __init__(self, directory, *targets, alertmanager=None, relabel=(), client=None):
        super().__init__(["prometheus"], directory)
        shutil.copy(RULES, directory)
        told = [f"127.0.0.1:{alertmanager.port}"] if alertmanager else []
        interval = f"{INTERVAL * 1000:.0f}ms"
        (directory / "prometheus.yml").write_text(json.dumps({
            "global": {"scrape_interval": interval, "scrape_timeout": interval,
                       "evaluation_interval": interval},
            "rule_files": [RULES.name],
            "alerting": {"alertmanagers": [{"static_configs": [{"targets": told}]}],
                         "alert_relabel_configs": list(relabel)},
            "scrape_configs": [{"job_name": "tidegauge", "static_configs": [{"targets": targets}],
                                **(client or {})}]}))
        self._directory = directory

    def arguments(self):
        return [f"--config.file={self._directory}/prometheus.yml",
                f"--storage.tsdb.path={self._directory}/data",
                f"--web.listen-address=127.0.0.1:{self.port}"]

    def ask(self, path, **parameters):
        query = urllib.parse.urlencode(parameters)
        with urllib.request.urlopen(f"{self.url}{path}?{query}", timeout=5) as answer:
            return json.load(answer)["data"]

    def value(self, expression):
        """Of the only series that `expression` gives; None: there is none."""
        try:
            result = self.ask("/api/v1/query", query=expression)["result"]
        except OSError:  # it is not ready yet
            return None
        return float(result[0]["value"][1]) if result else None

    def begins(self, alert):
        """When each alert of this name that fires became active."""
        return [found["activeAt"] for found in self.ask("/api/v1/alerts")["alerts"]
                if found["labels"]["alertname"] == alert and found["state"] == "firing"]
