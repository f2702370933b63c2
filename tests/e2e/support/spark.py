"""Real Spark: one session for all queries of a run."""

import json
import os
import signal
import urllib.parse
from contextlib import contextmanager
from pathlib import Path

from pyspark.sql import SparkSession

from support.process import Timeout

# What Spark 4.1.1 fails with under availableNow when it has run a batch again and committed it, while
# reporting progress. The next start goes on behind it. github.com/apache/spark/issues/55236
SPARK_55236 = 'the return value of "scala.Option.get()" is null'

LOG4J2 = """\
rootLogger.level = warn
rootLogger.appenderRef.file.ref = file
appender.file.type = File
appender.file.name = file
appender.file.fileName = {log}
appender.file.layout.type = PatternLayout
appender.file.layout.pattern = %d %p %c{{1}}: %m%n%ex
"""


class Spark:
    """`log` is where Spark writes what it logs; all its other files stay beside it."""

    def __init__(self, connector: Path, directory: Path):
        directory.mkdir(parents=True)
        self.log = directory / "spark.log"
        settings = directory / "log4j2.properties"
        settings.write_text(LOG4J2.format(log=self.log))
        # Short queries: a fully optimising compiler costs more than it gives.
        java = (f"-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Djava.net.preferIPv4Stack=true "
                f"-Dlog4j2.configurationFile=file:{settings}")
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
        self.session = (
            SparkSession.builder
            # A continuous query keeps one slot per partition for itself; the others need some too.
            .master("local[4]")
            .config("spark.jars", ",".join(map(str, sorted(connector.glob("*.jar")))))
            .config("spark.driver.memory", "1g")
            .config("spark.driver.extraJavaOptions", java)
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.local.dir", directory / "local")
            .config("spark.sql.warehouse.dir", directory / "warehouse")
            .config("spark.sql.shuffle.partitions", "1")
            .config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
            .getOrCreate())

    def stop(self):
        self.session.stop()

    def freeze(self):
        """Stops the driver: nothing may be asked of the session until it is thawed."""
        os.kill(self._process, signal.SIGSTOP)

    def thaw(self):
        os.kill(self._process, signal.SIGCONT)

    @property
    def _process(self):
        return self.session.sparkContext._gateway.proc.pid  # pylint: disable=protected-access


class Query:
    """A streaming query from Kafka to a file sink that holds where each row came from."""

    def __init__(self, spark: Spark, address, directory: Path, topics, fail_on_data_loss=True,
                 options=None, sink_options=None, twice=False):
        self.directory = directory
        self.name = directory.name
        self.checkpoint = directory / "checkpoint"
        self.sink = directory / "sink"
        self.topics = list(topics)
        self.fail_on_data_loss = fail_on_data_loss
        self._spark = spark
        self._address = address
        self.options = options or {}
        self._sink_options = sink_options or {}
        self.times = 2 if twice else 1  # how often it reads each record

    @property
    def topic(self):
        (topic,) = self.topics
        return topic

    def _stream(self):
        reader = self._spark.session.readStream.format("kafka")
        options = {"kafka.bootstrap.servers": self._address, "subscribe": ",".join(self.topics),
                   "startingOffsets": "earliest", "failOnDataLoss": str(self.fail_on_data_loss),
                   "fetchOffset.retryIntervalMs": "50", "kafkaConsumer.pollTimeoutMs": "20000",
                   **self.options}
        for name, value in options.items():
            reader = reader.option(name, value)
        rows = reader.load().select("topic", "partition", "offset")
        return rows.union(rows) if self.times == 2 else rows

    def _writer(self, sink):
        writer = self._stream().writeStream.option("checkpointLocation", self.uri(self.checkpoint))
        writer = writer.foreachBatch(sink) if callable(sink) else writer.format(sink)
        for name, value in self._sink_options.items():
            writer = writer.option(name, value)
        return writer.option("path", self.uri(self.sink)) if sink == "json" else writer

    def uri(self, path):
        """As Spark is told of a path of this query."""
        return str(path)

    def run(self):
        """Lets the query read all there is, and returns the text of its failure, or None."""
        failure = self._run_once()
        return self._run_once() if failure and SPARK_55236 in failure else failure

    def _run_once(self):
        try:
            running = self._writer("json").trigger(availableNow=True).start()
            ended = running.awaitTermination(120)
        except Exception as failure:  # whatever Spark throws is the answer
            return str(failure)
        if not ended:
            running.stop()
            raise Timeout(f"{self.name} did not end")
        return None

    def start(self, sink="json", options=None, **trigger):
        """Starts the query for good, into a format or a function of each batch; `trigger` as
        DataStreamWriter.trigger has it."""
        writer = self._writer(sink)
        for name, value in (options or {}).items():
            writer = writer.option(name, value)
        return writer.trigger(**trigger).start()

    @contextmanager
    def running(self, **how):
        run = self.start(**how)
        try:
            yield run
        finally:
            run.stop()

    def newest_batch(self):
        return self._newest("offsets")

    def rows(self):
        """[(topic, partition, offset)] of all rows that the sink has committed, in no order."""
        files = set()
        for log in (self.sink / "_spark_metadata").glob("[0-9]*"):
            _, *entries = log.read_text().splitlines()
            files |= {json.loads(entry)["path"] for entry in entries}
        return [(row["topic"], row["partition"], row["offset"])
                for file in files
                for row in map(json.loads, _path(file).read_text().splitlines())]

    def committed_batch(self):
        return self._newest("commits")

    def _newest(self, log):
        return max((int(f.name) for f in (self.checkpoint / log).glob("[0-9]*")), default=-1)


class FileQuery(Query):
    """One that reads the files of a directory instead, each in a batch of its own."""

    def __init__(self, spark: Spark, directory: Path):
        super().__init__(spark, None, directory, ())
        self.input = directory / "input"
        self.input.mkdir(parents=True)

    def _stream(self):
        return (self._spark.session.readStream.schema("file INT, row INT")
                .option("maxFilesPerTrigger", "1").json(str(self.input)))


def _path(url):
    return Path(urllib.parse.unquote(urllib.parse.urlparse(url).path))
