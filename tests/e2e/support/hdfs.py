"""A real HDFS: a NameNode and a DataNode on loopback, mounted here to read, and the `hdfs` command.

Its superuser is `hdfs`; Spark is an ordinary user, whom permissions bind."""

import json
import os
import socket
import subprocess
import urllib.parse
import urllib.request
import zipfile
from pathlib import Path

import pyspark

from support.process import Process, free_ports, wait_until

SUPERUSER = "hdfs"

# Heartbeats are frequent so that the DataNode is there at once. The loggers of metrics of Hadoop 3.3
# want a Log4j of old.
SETTINGS = {
    "fs.defaultFS": "hdfs://127.0.0.1:{rpc}",
    "dfs.namenode.http-address": "127.0.0.1:{http}",
    "dfs.namenode.name.dir": "file://{directory}/name",
    "dfs.namenode.edits.noeditlogchannelflush": "true",
    "dfs.namenode.datanode.registration.ip-hostname-check": "false",
    "dfs.namenode.metrics.logger.period.seconds": "0",
    "dfs.datanode.metrics.logger.period.seconds": "0",
    "dfs.datanode.data.dir": "file://{directory}/data",
    "dfs.datanode.hostname": "127.0.0.1",
    "dfs.datanode.address": "127.0.0.1:0",
    "dfs.datanode.http.address": "127.0.0.1:0",
    "dfs.datanode.ipc.address": "127.0.0.1:0",
    "dfs.heartbeat.interval": "1",
    "dfs.replication": "1",
}

LOG4J2 = """\
rootLogger.level = warn
rootLogger.appenderRef.console.ref = console
appender.console.type = Console
appender.console.name = console
appender.console.target = SYSTEM_ERR
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d %p %c{1}: %m%n%ex
"""

SHELL = "org.apache.hadoop.fs.FsShell"

# What a distribution's `hdfs` does.
COMMAND = """\
#!/usr/bin/env bash
case $1 in
  dfs) class={shell} ;;
  getconf) class=org.apache.hadoop.hdfs.tools.GetConf ;;
  *) echo "hdfs: $1 is not known here" >&2; exit 2 ;;
esac
exec {java} "$class" "${{@:2}}"
"""

# Of PySpark's jars; they are the other half of a cluster.
CLIENT = ("hadoop-client-api", "hadoop-client-runtime", "slf4j-api", "jcl-over-slf4j")
LOGGING = ("log4j-api", "log4j-core", "log4j-1.2-api", "log4j-slf4j2-impl")


def _pyspark(names):
    jars = Path(pyspark.__file__).parent / "jars"
    return [jar for name in names for jar in jars.glob(f"{name}-[0-9]*.jar")]


def _run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=120)
    assert done.returncode == 0, f"{command}:\n{done.stdout}"


class Hdfs:
    def __init__(self, jars: Path, directory: Path):
        self.mount = directory / "mount"
        self.bin = directory / "bin"
        for made in (self.mount, self.bin):
            made.mkdir(parents=True)
        self._rpc, self._http = free_ports(2)
        settings = self._write_settings(directory)
        java = ["java", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                "-Djava.net.preferIPv4Stack=true", f"-Djdk.net.hosts.file={directory}/hosts",
                f"-Dlog4j2.configurationFile=file:{directory}/log4j2.properties"]
        client = [settings, *sorted(jars.glob("*.jar")), *_pyspark(CLIENT)]
        self._shell = [*java, "-cp", ":".join(map(str, client))]
        # Twice as fast with its classes loaded beforehand.
        self._classes = directory / "classes.jsa"
        command = self.bin / "hdfs"
        command.write_text(COMMAND.format(shell=SHELL, java=" ".join(
            f"'{word}'" for word in (*self._shell, f"-XX:SharedArchiveFile={self._classes}"))))
        command.chmod(0o755)
        node = "org.apache.hadoop.hdfs.server"
        # The web server of Hadoop 3.3 is of a time when Java was more open.
        server = ["env", f"HADOOP_USER_NAME={SUPERUSER}", *java,
                  "--add-opens=java.base/java.lang=ALL-UNNAMED",
                  "-cp", ":".join(map(str, client + _pyspark(LOGGING)))]
        self._format = [*server, f"{node}.namenode.NameNode", "-format", "-nonInteractive"]
        self.namenode = Process([*server, f"{node}.namenode.NameNode"], directory / "namenode.log")
        self.datanode = Process([*server, f"{node}.datanode.DataNode"], directory / "datanode.log")
        # The system's Python has the module.
        self._mounted = Process(["/usr/bin/python3", Path(__file__).with_name("hdfs_mount.py"),
                                 self.mount, self._url], directory / "mount.log")

    def _write_settings(self, directory):
        """Into a jar: a folder on the class path would forbid the shared archive."""
        lines = (f"<property><name>{name}</name><value>"
                 f"{value.format(rpc=self._rpc, http=self._http, directory=directory)}"
                 "</value></property>" for name, value in SETTINGS.items())
        text = "<configuration>\n{}\n</configuration>\n".format("\n".join(lines))
        settings = directory / "settings.jar"
        with zipfile.ZipFile(settings, "w") as jar:
            for name in ("core-site.xml", "hdfs-site.xml"):
                jar.writestr(name, text)
        (directory / "log4j2.properties").write_text(LOG4J2)
        # Nobody waits for a name server.
        (directory / "hosts").write_text(f"127.0.0.1 localhost {socket.gethostname()}\n")
        return settings

    @property
    def _url(self):
        return f"http://127.0.0.1:{self._http}/webhdfs/v1"

    def start(self):
        _run(self._format)
        self.namenode.start()
        self.datanode.start()
        wait_until(self._is_up, lambda: f"HDFS is up:\n{self.namenode.tail()}"
                                        f"{self.datanode.tail()}", 120)
        _run([*self._shell, f"-XX:ArchiveClassesAtExit={self._classes}", SHELL, "-ls", "/"])
        self._mounted.start()
        wait_until(lambda: os.path.ismount(self.mount),
                   lambda: f"HDFS is mounted:\n{self._mounted.tail()}", 120)

    def _is_up(self):
        assert self.namenode.running and self.datanode.running
        try:
            with urllib.request.urlopen(
                    f"http://127.0.0.1:{self._http}/jmx"
                    "?qry=Hadoop:service=NameNode,name=FSNamesystem", timeout=10) as answer:
                (beans,) = json.load(answer)["beans"] or [{}]
        except OSError:
            return False
        return beans.get("NumLiveDataNodes") == 1

    def stop(self):
        for process in (self._mounted, self.datanode, self.namenode):
            process.end()

    def name(self, path):
        """What is mounted at `path`, as HDFS has it."""
        return f"/{path.relative_to(self.mount)}"

    def uri(self, path):
        return f"hdfs://127.0.0.1:{self._rpc}{self.name(path)}"

    # ------------------------------------------------------------- what a test does to files

    def _call(self, method, path, operation, user="root", **parameters):
        words = urllib.parse.urlencode({"op": operation, "user.name": user, **parameters})
        url = f"{self._url}{urllib.parse.quote(self.name(path))}?{words}"
        with urllib.request.urlopen(urllib.request.Request(url, method=method),
                                    timeout=30) as answer:
            return json.loads(answer.read() or b"{}")

    def make_directory(self, path, owner):
        self._call("PUT", path, "MKDIRS", SUPERUSER)
        self._call("PUT", path, "SETOWNER", SUPERUSER, owner=owner)

    def delete(self, path):
        assert self._call("DELETE", path, "DELETE", recursive="true")["boolean"]

    def write(self, path, content: bytes):
        location = self._call("PUT", path, "CREATE", overwrite="true", noredirect="true")
        request = urllib.request.Request(location["Location"], data=content, method="PUT")
        with urllib.request.urlopen(request, timeout=30) as answer:
            assert answer.status == 201

    def age(self, path, seconds):
        """As if it had been written so long ago."""
        stamp = self.status(path)["modificationTime"] - 1000 * seconds
        self._call("PUT", path, "SETTIMES", modificationtime=stamp)

    def age_as(self, path, other):
        """As if it had been written when `other` was."""
        stamp = self.status(other)["modificationTime"]
        self._call("PUT", path, "SETTIMES", modificationtime=stamp)

    def rename(self, path, to):
        assert self._call("PUT", path, "RENAME", destination=self.name(to))["boolean"]

    def status(self, path):
        return self._call("GET", path, "GETFILESTATUS")["FileStatus"]
