"""100 queries that go on, and the topics they read: what Spark would write, without Spark."""

import itertools
import json
import os
import shutil
import time

from confluent_kafka import KafkaException, Producer
from confluent_kafka.admin import AdminClient, NewTopic

PARTITIONS = 100
RETAINED = 100
QUIET = {"log_level": 0}


class Query:
    """Its checkpoint, and the records of its topic that it has planned to read."""

    def __init__(self, directory, number):
        self.name = f"job-{number:04}"
        self.checkpoint = directory / self.name
        self.ends = [0] * PARTITIONS
        self.batch = -1

    def plan(self):
        """One more batch, up to the end; the log keeps its last hundred."""
        self.batch += 1
        for log in ("offsets", "commits"):
            (self.checkpoint / log).mkdir(parents=True, exist_ok=True)
        if self.batch == 0:
            self._write("metadata", json.dumps({"id": f"5f3a2c1e-0000-4000-8000-{os.urandom(6).hex()}"}))
        planned = json.dumps({"batchWatermarkMs": 0, "batchTimestampMs": int(time.time() * 1000),
                              "conf": {}})
        offsets = json.dumps({self.name: {str(p): end for p, end in enumerate(self.ends)}})
        self._write(f"offsets/{self.batch}", f"v1\n{planned}\n{offsets}")
        self._write(f"commits/{self.batch}", 'v1\n{"nextBatchWatermarkMs":0}')
        for log in ("offsets", "commits"):
            (self.checkpoint / log / str(self.batch - RETAINED)).unlink(missing_ok=True)

    def _write(self, name, text):
        """As Spark does it: under another name, then renamed."""
        fresh = self.checkpoint / f"{name}.tmp"
        fresh.write_text(text)
        fresh.rename(self.checkpoint / name)

    def end(self):
        shutil.rmtree(self.checkpoint)


class Load:
    """What goes on, second by second. While the broker is away, what needs it is not done."""

    def __init__(self, directory, address, count):
        self._directory = directory
        self._admin = AdminClient({"bootstrap.servers": address, **QUIET})
        self._producer = Producer({"bootstrap.servers": address, "message.timeout.ms": 3000, **QUIET})
        self._numbers = itertools.count()
        self.queries = []
        self.done = {"batches": 0, "queries begun": 0, "topics recreated": 0, "queries ended": 0,
                     "without broker": 0}
        for _ in range(count):
            self.begin_query()

    def begin_query(self):
        query = Query(self._directory, next(self._numbers))
        if not self._create(query.name):
            return
        query.plan()
        self.queries.append(query)
        self.done["queries begun"] += 1

    def advance(self, count):
        """The queries that have waited for longest read what is new for them."""
        for _ in range(min(count, len(self.queries))):
            query = self.queries.pop(0)
            self.queries.append(query)
            if self._produce(query):
                query.plan()
                self.done["batches"] += 1

    def recreate_topic_of_the_first(self):
        """From now on it is left alone: its driver has died."""
        query = self.queries.pop(0)
        if self._delete(query.name) and self._create(query.name):
            self.done["topics recreated"] += 1
        return query

    def end_query(self, query):
        query.end()
        self.done["queries ended"] += 1

    def forget_topic(self, query):
        self._delete(query.name)

    def _produce(self, query):
        partition = query.batch % PARTITIONS
        delivered = []
        self._producer.produce(query.name, value=b"record", partition=partition,
                               on_delivery=lambda error, message: delivered.append((error, message)))
        self._producer.flush(4)
        if not delivered or delivered[0][0]:
            self.done["without broker"] += 1
            return False
        query.ends[partition] = delivered[0][1].offset() + 1
        return True

    def _create(self, topic):
        return self._ask(self._admin.create_topics([NewTopic(topic, PARTITIONS, 1)],
                                                   operation_timeout=5, request_timeout=8))

    def _delete(self, topic):
        return self._ask(self._admin.delete_topics([topic], operation_timeout=5, request_timeout=8))

    def _ask(self, futures):
        try:
            for future in futures.values():
                future.result(10)
            return True
        except KafkaException:
            self.done["without broker"] += 1
            return False
