"""What the pages say to type to Kafka's own tools, typed."""

import itertools
import os
import re
import subprocess

import pytest
from documented import ROOT, commands
from support.broker import TOOLS
from support.process import wait_until

# By the names that their programs have in Kafka 4.
MORE_TOOLS = {"kafka-acls.sh": "org.apache.kafka.tools.AclCommand",
              "kafka-broker-api-versions.sh": "org.apache.kafka.tools.BrokerApiVersionsCommand",
              "kafka-cluster.sh": "org.apache.kafka.tools.ClusterTool",
              "kafka-get-offsets.sh": "org.apache.kafka.tools.GetOffsetShell"}
WITHOUT_SCRIPTS = sorted({*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"} - {ROOT / "docs/recreate_topic.md"})
LINES = sorted({line for page in WITHOUT_SCRIPTS for line in commands(page)
                if line.startswith("kafka-")})
numbers = itertools.count()


@pytest.fixture(scope="module")
def type_in(broker, directory):
    broker.write_tools(directory / "bin", TOOLS | MORE_TOOLS)

    def run(line):
        at_the_broker = re.sub(r"(--bootstrap-server) \S+", rf"\1 {broker.address}", line)
        return subprocess.run(
            ["bash", "-c", f"set -o pipefail; {at_the_broker}"], check=False, timeout=60,
            capture_output=True, text=True,
            env={**os.environ, "PATH": f"{directory / 'bin'}:{os.environ['PATH']}"})
    return run


def test_each_tool_is_in_a_page():
    assert {line.split()[0] for line in LINES} == {*TOOLS, *MORE_TOOLS}


@pytest.mark.parametrize("line", [line for line in LINES if not line.startswith("kafka-acls.sh")])
def test_it_works(type_in, line):
    done = type_in(line)
    asks_by_time = "--time 1" in line  # and the topic has no record
    assert done.returncode == 0 and (done.stdout or asks_by_time), f"{line}: {done.stdout}{done.stderr}"


@pytest.mark.parametrize("line", [line for line in LINES if line.startswith("kafka-acls.sh")])
def test_the_rules_are_there(type_in, broker, line):
    user = f"typed-{next(numbers)}"
    done = type_in(line.replace("User:tidegauge", f"User:{user}"))
    assert done.returncode == 0, f"{line}: {done.stdout}{done.stderr}"
    (topic,) = re.findall(r"--topic '?([^'\s]+)'?", line)
    operations = {re.sub(r"(?<!^)(?=[A-Z])", "_", name).upper()
                  for name in re.findall(r"--operation (\w+)", line)}
    expected = {(topic, operation) for operation in operations}
    wait_until(lambda: broker.rules_of(user) == expected, f"{expected} are allowed to {user}")
