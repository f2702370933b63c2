#!/usr/bin/env python3
"""shard_bench.py BINARY KAFKA_JARS: one of 16 shards of 100,000 queries, on a real broker with 10,000
partitions. All have their directories, and those of this shard their checkpoints. Prints one JSON object. Run
it with the Python of an e2e venv."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from confluent_kafka.admin import AdminClient, NewTopic

sys.path.insert(0, str(Path(__file__).parent.parent / "e2e"))

from support.broker import Broker  # noqa: E402
from support.process import free_ports, wait_until  # noqa: E402
from support.tidegauge import parse_metrics  # noqa: E402

QUERIES, SHARDS, INDEX = 100_000, 16, 3
TOPICS, PARTITIONS = 1_000, 10
POLLS = 10
ARGUMENTS = [f"--shard.index={INDEX}", f"--shard.count={SHARDS}"]


def shard_of(query, count):
    """config/shard.h, from the papers."""
    key = 0xCBF29CE484222325
    for byte in query.encode():
        key = (key ^ byte) * 0x100000001B3 % 2**64
    shard, following = 0, 0
    while following < count:
        shard = following
        key = (key * 2862933555777941757 + 1) % 2**64
        following = int((shard + 1) * (float(1 << 31) / float((key >> 33) + 1)))
    return shard


def write_checkpoint(path, topic):
    for name in ("offsets", "commits"):
        (path / name).mkdir(parents=True)
    (path / "metadata").write_text('{"id":"5f3a2c1e-0000-4000-8000-000000000001"}')
    planned = json.dumps({"batchWatermarkMs": 0, "batchTimestampMs": 1796009000000, "conf": {}})
    offsets = json.dumps({topic: {str(p): 0 for p in range(PARTITIONS)}})
    (path / "offsets/0").write_text(f"v1\n{planned}\n{offsets}")
    (path / "commits/0").write_text('v1\n{"nextBatchWatermarkMs":0}')


def create_topics(address):
    admin = AdminClient({"bootstrap.servers": address})
    for first in range(0, TOPICS, 100):
        topics = [NewTopic(f"bench-{n}", PARTITIONS, 1) for n in range(first, first + 100)]
        for made in admin.create_topics(topics, operation_timeout=60).values():
            made.result()

    def led():
        there = admin.list_topics(timeout=10).topics
        return sum(1 for topic in there.values() for partition in topic.partitions.values()
                   if partition.leader >= 0)

    wait_until(lambda: led() == TOPICS * PARTITIONS, "the broker knows them", 120)


def check(binary, work):
    """One poll with nothing remembered: the queries, wall and CPU seconds, resident MiB at most."""
    command = [binary, "check", f"--config.file={work}/tidegauge.yaml", "--format=json",
               *ARGUMENTS]
    started = time.perf_counter()
    with open(work / "report.json", "w+b") as out:
        process = subprocess.Popen(command, stdout=out)
        _, _, used = os.wait4(process.pid, 0)
        took = time.perf_counter() - started
        out.seek(0)
        report = json.load(out)
    ok = [query["query"] for query in report["queries"] if query["state"] == "ok"]
    assert len(ok) == len(report["queries"]), report["unknown"][:3] + report["findings"][:3]
    return ok, took, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def scrape(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        return answer.read().decode()


def figure(text, name):
    found = [float(value) for has, _, value in parse_metrics(text) if has == name]
    return found[0] if found else 0.0


def run_daemon(binary, work):
    """What one of them takes as time goes by, nothing changing."""
    (port,) = free_ports(1)
    daemon = subprocess.Popen([binary, f"--config.file={work}/tidegauge.yaml",
                               f"--state.dir={work}/state", f"--web.listen-address=127.0.0.1:{port}",
                               "--log.level=error", *ARGUMENTS])

    def polls():
        try:
            return figure(scrape(port), "tidegauge_polls_total")
        except OSError:
            return 0

    started = time.perf_counter()
    wait_until(lambda: polls() >= 1, lambda: "a poll", 120)
    first = time.perf_counter() - started
    wait_until(lambda: polls() >= 2, lambda: "another", 60)
    took, at, before = [], None, scrape(port)
    while len(took) < POLLS:
        text = scrape(port)
        polled = figure(text, "tidegauge_last_poll_timestamp_seconds")
        if polled != at:
            took.append(figure(text, "tidegauge_poll_duration_seconds"))
        at = polled
        time.sleep(1)
    cpu = figure(text, "process_cpu_seconds_total") - figure(before, "process_cpu_seconds_total")
    daemon.terminate()
    daemon.wait()
    return {"start_to_first_poll_s": round(first, 2), "poll_s": round(statistics.median(took), 3),
            "cpu_s_a_poll": round(cpu / (POLLS - 1), 3),
            "resident_mib": round(figure(text, "process_resident_memory_bytes") / 2**20, 1),
            "series": sum(1 for line in text.splitlines() if not line.startswith("#")),
            "page_mib": round(len(text) / 2**20, 1),
            "state_mib": round(sum(f.stat().st_size for f in (work / "state").iterdir()) / 2**20, 1)}


def main(binary, jars):
    names = [f"job-{number:05}" for number in range(QUERIES)]
    shares = [[] for _ in range(SHARDS)]
    for name in names:
        shares[shard_of(name, SHARDS)].append(name)
    with tempfile.TemporaryDirectory() as work:
        work = Path(work)
        for number, name in enumerate(names):
            if shard_of(name, SHARDS) == INDEX:
                write_checkpoint(work / "checkpoints" / name, f"bench-{number % TOPICS}")
            else:
                (work / "checkpoints" / name).mkdir(parents=True)
        (work / "state").mkdir()
        broker = Broker(Path(jars), work / "kafka")
        broker.start()
        try:
            create_topics(broker.address)
            (work / "tidegauge.yaml").write_text(json.dumps({
                "kafka": [{"name": "main", "bootstrap_servers": broker.address}],
                "queries": [{"name": "{job}", "checkpoint": f"{work}/checkpoints/{{job}}"}],
                "metrics": {"granularity": "topic"}, "poll_interval": "2s"}))
            watched, took, cpu, resident = check(binary, work)
            assert watched == shares[INDEX]
            daemon = run_daemon(binary, work)
        finally:
            broker.kill()
    sizes = [len(share) for share in shares]
    print(json.dumps({
        "queries": QUERIES, "shards": SHARDS, "smallest": min(sizes), "largest": max(sizes),
        "largest_to_mean": round(max(sizes) * SHARDS / QUERIES, 3),
        "moved_by_a_seventeenth": sum(shard_of(name, 16) != shard_of(name, 17) for name in names),
        "check": {"queries": len(watched), "wall_s": round(took, 2), "cpu_s": round(cpu, 2),
                  "resident_mib_at_most": round(resident)},
        "daemon": daemon,
    }, indent=1))


if __name__ == "__main__":
    main(*sys.argv[1:])
