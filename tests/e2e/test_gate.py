"""A topic is recreated on purpose, with a producer that waits for the gate: no record is lost."""

import threading
import time
from collections import Counter

from support.prediction import rows_since

EXIT_REACHED, EXIT_NOT_YET, EXIT_REFUSED = 0, 1, 2


def gate(lab, query, step, timeout):
    return lab.commands(query).command("gate", step, query.topic, f"--query={query.name}",
                                       f"--timeout={timeout}", "--interval=200ms")


def test_a_whole_recreation(lab, topics):
    query = lab.consumed("gate", [100, 50])
    topics.produce(query.topic, [7, 0])
    early = gate(lab, query, "drained", "1s")
    assert early.returncode == EXIT_NOT_YET, early
    assert "7 records of partition 0 are not read yet" in early.stderr
    lab.run(query)
    assert gate(lab, query, "drained", "30s").returncode == EXIT_REACHED

    early = gate(lab, query, "recreated", "1s")
    assert early.returncode == EXIT_NOT_YET, early
    assert "this is the old topic" in early.stderr
    topics.recreate(query.topic, 2)
    recreated = gate(lab, query, "recreated", "30s")
    assert recreated.returncode == EXIT_REACHED, recreated
    assert "failOnDataLoss=false" in recreated.stdout

    opened = []
    producer = threading.Thread(target=produce_once_rebased, args=(lab, query, topics, opened))
    producer.start()
    time.sleep(2)
    assert query.run(), "the end is below the start"
    assert not opened, "the query has not been restarted as it should"
    before = Counter(query.rows())
    query.fail_on_data_loss = False
    assert query.run() is None
    producer.join(60)
    assert [rebased.returncode for rebased in opened] == [EXIT_REACHED], opened

    query.fail_on_data_loss = True
    lab.run(query)
    read = rows_since(query, before)
    assert (read.total(), set(read.values())) == (30 + 40, {1})
    assert lab.kinds(query) == []


def produce_once_rebased(lab, query, topics, opened):
    opened.append(gate(lab, query, "rebased", "60s"))
    if opened[0].returncode == EXIT_REACHED:
        topics.produce(query.topic, [30, 40])


def test_producers_that_did_not_wait(lab, topics):
    query = lab.consumed("gate_early", [100])
    topics.recreate(query.topic)
    topics.produce(query.topic, [20])
    for step in ("drained", "recreated", "rebased"):
        refused = gate(lab, query, step, "30s")
        assert refused.returncode == EXIT_REFUSED, refused
