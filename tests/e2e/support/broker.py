"""A real Kafka: one KRaft node on loopback, on the same ports and data over all its starts."""

import base64
import shlex
import signal
import socket
import subprocess
import uuid
from pathlib import Path

from support.process import Process, free_ports, wait_until

# Segments vanish at once and retention acts within a second: tests need not wait for either.
# A killed broker is let in again only when its old session has ended.
PROPERTIES = """\
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{port}
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
controller.listener.names=CONTROLLER
log.dirs={data}
auto.create.topics.enable=true
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
broker.heartbeat.interval.ms=500
broker.session.timeout.ms=3000
log.retention.check.interval.ms=1000
log.segment.delete.delay.ms=100
file.delete.delay.ms=100
"""

LOG4J = """\
log4j.rootLogger=WARN, A
log4j.appender.A=org.apache.log4j.ConsoleAppender
log4j.appender.A.layout=org.apache.log4j.PatternLayout
log4j.appender.A.layout.ConversionPattern=%d %p %m (%c)%n
"""

TOOLS = {"kafka-topics.sh": "org.apache.kafka.tools.TopicCommand",
         "kafka-configs.sh": "kafka.admin.ConfigCommand"}


class Broker:
    def __init__(self, jars: Path, directory: Path, options=()):
        """`options`: of Java."""
        self._jars = jars
        directory.mkdir(parents=True)
        self.port, self._controller = free_ports(2)
        self._data = directory / "data"
        self._properties = directory / "server.properties"
        self._properties.write_text(self._settings())
        (directory / "log4j.properties").write_text(LOG4J)
        self._java = ["java", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                      f"-Dlog4j.configuration=file:{directory}/log4j.properties", *options,
                      "-cp", f"{jars}/*"]
        self._process = Process([*self._java, "kafka.Kafka", self._properties],
                                directory / "kafka.log")
        self._format()

    def _settings(self):
        """server.properties; what stands further down counts."""
        return PROPERTIES.format(port=self.port, controller=self._controller, data=self._data)

    @property
    def address(self):
        return f"127.0.0.1:{self.port}"

    @property
    def log(self):
        return self._process.log

    def _format(self):
        cluster = base64.urlsafe_b64encode(uuid.uuid4().bytes).rstrip(b"=").decode()
        done = subprocess.run(
            [*self._java, "kafka.tools.StorageTool", "format",
             f"--cluster-id={cluster}",  # one word: an id may begin with a dash
             "-c", str(self._properties)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
        assert done.returncode == 0, f"formatting Kafka's storage:\n{done.stdout}"

    def write_tools(self, directory: Path, tools=TOOLS):
        """Kafka's commands under the names they have in its distribution."""
        directory.mkdir(parents=True, exist_ok=True)
        for name, main in tools.items():
            words = [*map(str, self._java), main]
            (directory / name).write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
            (directory / name).chmod(0o755)

    def start(self):
        self._process.start()
        wait_until(self._accepts, lambda: f"Kafka listens:\n{self._process.tail()}", 60)

    def _accepts(self):
        assert self._process.running, f"Kafka ended:\n{self._process.tail()}"
        with socket.socket() as s:
            return s.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self):
        self._process.end()

    def kill(self):
        self._process.end(signal.SIGKILL)

    def freeze(self):
        self._process.send(signal.SIGSTOP)

    def thaw(self):
        self._process.send(signal.SIGCONT)
