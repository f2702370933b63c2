#!/usr/bin/env python3
"""daemon_bench.py BINARY KAFKA_JARS POLL_BENCH: the whole daemon on a real broker with 10,000
partitions, read by 100 queries. Prints one JSON object. Run it with the Python of an e2e venv."""

import json
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "e2e"))

from support.broker import Broker  # noqa: E402
from support.tidegauge import Daemon, parse_metrics  # noqa: E402

TOPICS = PARTITIONS = 100
BATCHES = 101


def write_checkpoint(path, topic):
    """As many batches as Spark retains."""
    for name in ("offsets", "commits"):
        (path / name).mkdir(parents=True)
    (path / "metadata").write_text('{"id":"5f3a2c1e-0000-4000-8000-000000000001"}')
    offsets = json.dumps({topic: {str(p): 0 for p in range(PARTITIONS)}})
    for batch in range(BATCHES):
        planned = json.dumps({"batchWatermarkMs": 0, "batchTimestampMs": 1796009000000 + batch,
                              "conf": {"spark.sql.shuffle.partitions": "2"}})
        (path / "offsets" / str(batch)).write_text(f"v1\n{planned}\n{offsets}")
        (path / "commits" / str(batch)).write_text('v1\n{"nextBatchWatermarkMs":0}')


def scrape(daemon):
    request = urllib.request.Request(f"http://127.0.0.1:{daemon.port}/metrics",
                                     headers={"Accept-Encoding": "identity"})
    started = time.perf_counter()
    with urllib.request.urlopen(request) as answer:
        body = answer.read()
    return time.perf_counter() - started, body.decode()


def figure(text, name):
    (value,) = [value for has, _, value in parse_metrics(text) if has == name]
    return float(value)


def sample(daemon, seconds, scrapes_per_second):
    """Poll durations and CPU over `seconds`, while scraping so often."""
    polls, cpu, scrapes = {}, [], []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        took, text = scrape(daemon)
        scrapes.append(took)
        polls[figure(text, "tidegauge_last_poll_timestamp_seconds")] = figure(
            text, "tidegauge_poll_duration_seconds")
        cpu.append(figure(text, "process_cpu_seconds_total"))
        time.sleep(1 / scrapes_per_second)
    return polls, cpu, scrapes, text


def main(binary, jars, poll_bench):
    with tempfile.TemporaryDirectory() as work:
        work = Path(work)
        broker = Broker(Path(jars), work / "kafka")
        broker.start()
        try:
            bare = json.loads(subprocess.check_output([poll_bench, broker.address], text=True))
            for i in range(TOPICS):
                write_checkpoint(work / "checkpoints" / f"q{i}", f"bench-{i}")
            time.sleep(3)
            daemon = Daemon(Path(binary), work / "daemon", broker.address,
                            {"{job}": work / "checkpoints" / "{job}"})
            started = time.perf_counter()
            daemon.start()
            first_poll = time.perf_counter() - started
            slow, _, _, _ = sample(daemon, 10, 1)
            fast, cpu, scrapes, text = sample(daemon, 10, 20)
            rss = figure(text, "process_resident_memory_bytes")
            series = sum(1 for line in text.splitlines() if not line.startswith("#"))
            daemon.stop()
        finally:
            broker.kill()
    print(json.dumps({
        "kafka_poll": bare,
        "start_to_first_poll_s": round(first_poll, 3),
        "poll_s_at_1_scrape_a_second": round(statistics.median(slow.values()), 4),
        "poll_s_at_20_scrapes_a_second": round(statistics.median(fast.values()), 4),
        "scrape_s": round(statistics.median(scrapes), 4),
        "scrape_s_worst": round(max(scrapes), 4),
        "series": series,
        "resident_mib": round(rss / 2**20, 1),
    }, indent=1))


if __name__ == "__main__":
    main(*sys.argv[1:])
