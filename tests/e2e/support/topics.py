"""What tests do to topics, and what the broker says of them."""

import uuid

from confluent_kafka import KafkaException, Producer
from confluent_kafka import TopicCollection, TopicPartition
from confluent_kafka.admin import AdminClient, ConfigResource, NewPartitions, NewTopic, OffsetSpec

from support.process import wait_until

TIMEOUT = 15
# A stopped broker is part of the tests: no client prints its complaints.
QUIET = {"log_level": 0}


def _only(futures):
    (future,) = futures.values()
    return future.result(TIMEOUT)


class Topics:
    def __init__(self, address):
        self.address = address
        self._admin = AdminClient({"bootstrap.servers": address, **QUIET})

    def names(self):
        # Asks for all topics and names none: a question by name would create the topic.
        return set(self._admin.list_topics(timeout=TIMEOUT).topics)

    def id(self, topic):
        return str(_only(self._admin.describe_topics(TopicCollection([topic]))).topic_id)

    def ends(self, topic):
        """{partition: (log start, log end)}"""
        description = _only(self._admin.describe_topics(TopicCollection([topic])))
        partitions = [p.id for p in description.partitions]
        starts, ends = (self._offsets(topic, partitions, spec)
                        for spec in (OffsetSpec.earliest(), OffsetSpec.latest()))
        return {p: (starts[p], ends[p]) for p in partitions}

    def _offsets(self, topic, partitions, spec):
        asked = self._admin.list_offsets({TopicPartition(topic, p): spec for p in partitions})
        return {partition.partition: future.result(TIMEOUT).offset
                for partition, future in asked.items()}

    def settings(self, topic, *names):
        resource = ConfigResource(ConfigResource.Type.TOPIC, topic)
        settings = _only(self._admin.describe_configs([resource]))
        return [settings[name].value for name in names]

    def create(self, topic, partitions=1, **config):
        """Settings as keyword arguments, with `_` for `.`."""
        settings = {name.replace("_", "."): str(value) for name, value in config.items()}
        new = NewTopic(topic, partitions, 1, config=settings)
        wait_until(lambda: self._try_create(new), f"{topic} is created")
        wait_until(lambda: self._is_empty(topic, partitions), f"{topic} is there, empty")

    def _try_create(self, new):
        try:
            _only(self._admin.create_topics([new]))
            return True
        except KafkaException as e:
            if e.args[0].name() == "TOPIC_ALREADY_EXISTS":
                return False
            raise

    def _is_empty(self, topic, partitions):
        try:
            return self.ends(topic) == {p: (0, 0) for p in range(partitions)}
        except KafkaException:
            return False

    def delete(self, topic):
        _only(self._admin.delete_topics([topic]))
        wait_until(lambda: topic not in self.names(), f"{topic} is gone")

    def recreate(self, topic, partitions=1, **config):
        old = self.id(topic)
        self.delete(topic)
        self.create(topic, partitions, **config)
        assert self.id(topic) != old

    def add_partitions(self, topic, total):
        _only(self._admin.create_partitions([NewPartitions(topic, total)]))
        wait_until(lambda: self._has(topic, total), f"{topic} has {total} partitions")

    def _has(self, topic, total):
        try:
            return len(self.ends(topic)) == total
        except KafkaException:
            return False

    def trim(self, topic, partition, log_start):
        """Deletes the records below `log_start`, as retention does."""
        _only(self._admin.delete_records([TopicPartition(topic, partition, log_start)]))

    def produce(self, topic, counts, stamp_ms=None):
        """counts[p] records to partition p. The producer ends here: one that lives on would create
        a deleted topic again."""
        _send(Producer({"bootstrap.servers": self.address, "linger.ms": 5, **QUIET}),
              topic, counts, stamp_ms)

    def produce_transactions(self, topic, counts, commit=True):
        """One transaction. commit=None leaves it open, and returns its producer, which holds it."""
        producer = Producer({"bootstrap.servers": self.address,
                             "transactional.id": str(uuid.uuid4()), **QUIET})
        producer.init_transactions(TIMEOUT)
        producer.begin_transaction()
        _send(producer, topic, counts)
        if commit is None:
            return producer
        producer.commit_transaction(TIMEOUT) if commit else producer.abort_transaction(TIMEOUT)
        return None


def _send(producer, topic, counts, stamp_ms=None):
    failed = []
    stamp = {} if stamp_ms is None else {"timestamp": stamp_ms}
    for partition, count in enumerate(counts):
        for number in range(count):
            producer.produce(topic, value=f"{partition}-{number}", partition=partition,
                             on_delivery=lambda error, _: error and failed.append(error), **stamp)
    assert producer.flush(TIMEOUT) == 0, f"{topic} did not take all records"
    assert not failed, failed[0]
