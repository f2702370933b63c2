#!/usr/bin/env python3
"""soak.py BINARY KAFKA_JARS MINUTES OUTPUT: see `soak`."""

import collections
import contextlib
import csv
import http.client
import json
import re
import statistics
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "e2e"))

from queries import Load  # noqa: E402
from confluent_kafka import KafkaException  # noqa: E402
from confluent_kafka.admin import AdminClient  # noqa: E402
from support.broker import Broker  # noqa: E402
from support.process import Timeout, wait_until  # noqa: E402
from support.tidegauge import Daemon, parse_metrics  # noqa: E402

QUERIES = 100
POLL_INTERVAL = 5
RESTART_INTERVAL = 60
CHANGE_INTERVAL = 20
RECONNECT = 5  # the longest pause of a client between two attempts, and one answer
LONGEST_POLL = 7  # one that waits for a broker in vain, twice
ELSEWHERE = "outside of outages"
WATCHED = {
    "process_resident_memory_bytes": "resident_bytes",
    "process_open_fds": "open_fds",
    "tidegauge_last_poll_timestamp_seconds": "polled_at",
    "tidegauge_polls_total": "polls",
    "tidegauge_poll_duration_seconds": "poll_seconds",
    "tidegauge_kafka_up": "kafka_up",
}


class BroadBroker(Broker):
    """One that holds ten thousand partitions and is back in less than a minute."""

    def __init__(self, jars, directory):
        super().__init__(jars, directory, ["-Xmx3g", "-XX:TieredStopAtLevel=4"])

    def _settings(self):
        return super()._settings() + (
            "num.recovery.threads.per.data.dir=4\nlog.index.size.max.bytes=65536\n"
            "log.retention.check.interval.ms=60000\n")


class Outages(threading.Thread):
    """The broker ends and starts again every minute, in turn asked to and killed. An outage lasts
    until each partition has a leader: what a client of its own is told."""

    def __init__(self, broker, end):
        super().__init__(daemon=True)
        self._broker = broker
        self._end = end
        self.all = []

    def run(self):
        following = time.time() + RESTART_INTERVAL
        while following + RESTART_INTERVAL < self._end:
            time.sleep(max(0, following - time.time()))
            following = time.time() + RESTART_INTERVAL
            self._restart(asked=len(self.all) % 2 == 0)
        time.sleep(max(0, self._end - time.time()))  # the broker ends with the thread that started it

    def _restart(self, asked):
        began = time.time()
        with contextlib.suppress(Timeout):  # one that takes its time is killed
            self._broker.stop() if asked else self._broker.kill()
        while not self._starts():
            self._broker.kill()
        self._wait_for_leaders()
        self.all.append((began, time.time()))

    def _starts(self):
        with contextlib.suppress(Timeout):
            self._broker.start()
            return True
        return False

    def _wait_for_leaders(self):
        client = AdminClient({"bootstrap.servers": self._broker.address, "log_level": 0})

        def all_led():
            with contextlib.suppress(KafkaException):
                topics = client.list_topics(timeout=5).topics.values()
                return topics and all(partition.leader >= 0 for topic in topics
                                      for partition in topic.partitions.values())

        wait_until(all_led, "each partition has a leader", 300)

    def overlap(self, began, ended):
        """Whether one lay in that time, or so shortly before that clients were not back yet."""
        return any(first - 1 <= ended and began <= last + RECONNECT for first, last in self.all)


class Scrapes(threading.Thread):
    """One each second, whatever happens."""

    def __init__(self, port, end, output):
        super().__init__(daemon=True)
        self._url = f"http://127.0.0.1:{port}/metrics"
        self._end = end
        self._output = output
        self.rows = []
        self.failed = []

    def run(self):
        with open(self._output, "w", newline="") as file:
            writer = csv.DictWriter(file, ["at", "took", "series", *WATCHED.values()])
            writer.writeheader()
            while time.time() < self._end:
                started = time.time()
                try:
                    self.rows.append(self._scrape(started))
                    writer.writerow(self.rows[-1])
                    file.flush()
                except (OSError, http.client.HTTPException) as error:
                    self.failed.append((started, str(error)))
                time.sleep(max(0, started + 1 - time.time()))

    def _scrape(self, started):
        with urllib.request.urlopen(self._url, timeout=5) as answer:
            text = answer.read().decode()
        row = {"at": round(started, 3), "took": round(time.time() - started, 4),
               "series": sum(1 for line in text.splitlines() if not line.startswith("#"))}
        for line in text.splitlines():
            name = re.match(r"\w*", line)[0]
            if name in WATCHED:
                row[WATCHED[name]] = parse_metrics(line)[0][2]
        return row


def live(load, daemon, end):
    """Every second ten batches; every twenty, a topic is recreated, and some time later its query
    ends, is acknowledged and another begins."""
    leaving = collections.deque()
    second = 0
    while time.time() < end:
        started = time.time()
        load.advance(10)
        if second % CHANGE_INTERVAL == 0:
            leaving.append(load.recreate_topic_of_the_first())
            load.begin_query()
        if second % CHANGE_INTERVAL == 10 and len(leaving) > 1:
            load.end_query(leaving[0])
        if second % CHANGE_INTERVAL == 19 and len(leaving) > 1:
            gone = leaving.popleft()
            load.forget_topic(gone)
            daemon.command("ack", "checkpoint_missing", gone.name, "--who=soak", "--why=it has ended")
        second += 1
        time.sleep(max(0, started + 1 - time.time()))


def between(rows, field, first, last):
    """The median of a field in a part of the run, 0 to 1."""
    part = rows[int(len(rows) * first):int(len(rows) * last)]
    return statistics.median(row[field] for row in part if field in row)


def polls_of(rows):
    """[(when it began, how long it took)]"""
    return sorted({row["polled_at"]: row.get("poll_seconds", 0.0) for row in rows
                   if "polled_at" in row}.items())


def late_polls(rows, outages):
    """Polls that began more than a second late, outside outages."""
    begun = [at for at, _ in polls_of(rows)]
    return [(round(after - before, 2), before) for before, after in zip(begun, begun[1:])
            if after - before > POLL_INTERVAL + 1 and not outages.overlap(before, after)]


def complaints(log, outages):
    """What the log says at level warn and error, and how often outside of outages."""
    counts = collections.Counter()
    for line in log.read_text().splitlines():
        entry = json.loads(line)
        if entry.get("level") not in ("warn", "error") or "kind" in entry:
            continue
        if entry.get("reason", "").endswith("it is gone"):  # the load has ended that query
            continue
        at = time.mktime(time.strptime(entry["ts"][:19], "%Y-%m-%dT%H:%M:%S")) - time.timezone
        where = "during an outage" if outages.overlap(at - LONGEST_POLL, at) else ELSEWHERE
        reason = re.sub(r"\d+", "N", entry.get("reason", ""))
        counts[f"{entry['msg']} ({where})" + (f": {reason}" if where == ELSEWHERE else "")] += 1
    return dict(counts)


def summary(load, scrapes, outages, daemon):
    rows = scrapes.rows
    resident = {part: round(between(rows, "resident_bytes", *span) / 2**20, 1) for part, span in
                {"from 10 to 20 %": (.1, .2), "from 45 to 55 %": (.45, .55),
                 "from 90 to 100 %": (.9, 1)}.items()}
    return {
        "minutes": round((rows[-1]["at"] - rows[0]["at"]) / 60, 1), **load.done,
        "broker restarts": len(outages.all),
        "outage s, median and longest": [round(pick(ended - began for began, ended in outages.all), 1)
                                         for pick in (statistics.median, max)],
        "series": int(between(rows, "series", .1, 1)),
        "resident MiB": resident,
        "resident MiB at most": round(max(row["resident_bytes"] for row in rows) / 2**20, 1),
        "open fds": {part: between(rows, "open_fds", *span) for part, span in
                     {"from 10 to 20 %": (.1, .2), "from 90 to 100 %": (.9, 1)}.items()},
        "scrapes": len(rows), "scrapes failed": len(scrapes.failed),
        "scrape s, median and worst": [statistics.median(row["took"] for row in rows),
                                       max(row["took"] for row in rows)],
        "polls": len(polls_of(rows)),
        "poll s, median and worst": [statistics.median(took for _, took in polls_of(rows)),
                                     max(took for _, took in polls_of(rows))],
        "late polls outside outages": late_polls(rows, outages),
        "complaints": complaints(daemon.log, outages),
    }


def objections(seen, minutes):
    """What a soak must not show."""
    resident, fds = (list(seen[name].values()) for name in ("resident MiB", "open fds"))
    holds = {
        "scrapes went on to the end": seen["scrapes"] > 55 * minutes and not seen["scrapes failed"],
        "the broker was restarted every minute": seen["broker restarts"] >= 0.9 * minutes - 2,
        "resident memory is flat": resident[-1] < 1.1 * resident[0],
        "file descriptors are flat": fds[-1] < fds[0] + 5,
        "polls are late during outages alone": not seen["late polls outside outages"],
        "it complains of outages alone": not any(ELSEWHERE in what for what in seen["complaints"]),
    }
    return [name for name, held in holds.items() if not held]


def main(binary, jars, minutes, output):
    with tempfile.TemporaryDirectory() as work:
        work = Path(work)
        broker = BroadBroker(Path(jars), work / "kafka")
        broker.start()
        daemon = None
        try:
            load = Load(work / "checkpoints", broker.address, QUERIES)
            daemon = Daemon(Path(binary), work / "daemon", broker.address,
                            {"{job}": work / "checkpoints" / "{job}"},
                            flags=["--log.format=json"], poll_interval=f"{POLL_INTERVAL}s")
            daemon.start()
            end = time.time() + 60 * float(minutes)
            outages, scrapes = Outages(broker, end), Scrapes(daemon.port, end, output)
            outages.start()
            scrapes.start()
            live(load, daemon, end)
            scrapes.join()
            seen = summary(load, scrapes, outages, daemon)
            print(json.dumps(seen, indent=1))
            daemon.stop()
            wrong = objections(seen, float(minutes))
            sys.exit(f"soak: it does not hold that {', '.join(wrong)}" if wrong else 0)
        finally:
            if daemon:
                daemon.kill()
            broker.kill()


if __name__ == "__main__":
    main(*sys.argv[1:])
