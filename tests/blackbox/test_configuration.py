"""Wrong configurations and recordings: every mistake, where it stands, and what may have been meant."""

import json
import os

import pytest

CONFIG = 78

WRONG = """\
kafka:
  - name: main
    bootstrap_server: b1:9092
    properties: {securty.protocol: SSL}
queries:
  - name: "{job}"
    checkpoint: relative/{job}
    kafka: mian
poll_intervall: 30s
read_timeout: soon
detectors:
  topic_recreatd: {severity: critical}
  records_expired: {severity: bad, hold: -3s}
"""


def test_all_mistakes_are_told_at_once_with_their_lines_and_the_nearest_key(scene):
    scene.config_file.write_text(WRONG)
    for command in ([], ["check"], ["config", "check"], ["config", "print"],
                    ["record", "--output=out"]):
        done = scene.run(*command, f"--config.file={scene.config_file}")
        assert done.returncode == CONFIG, command
        assert done.stdout == ""
        for line, *words in [(3, "bootstrap_server", "bootstrap_servers"), (7, "relative"),
                             (8, "mian", "main"), (9, "poll_intervall", "poll_interval"),
                             (10, "soon"), (12, "topic_recreatd", "topic_recreated"),
                             (13, "bad"), (13, "-3s")]:
            assert any(f"{scene.config_file}:{line}" in told and all(word in told for word in words)
                       for told in done.stderr.splitlines()), (line, words, done.stderr)
    assert not scene.state.exists()


@pytest.mark.parametrize("text", [
    b"", b"\0\0\0", b"kafka: [", b"\xff\xfe", b"- - -", b"%YAML 9.9\n---\n", b"&a [*a]",
    b"kafka: &a [*a]\nqueries: *a", b"{" * 10000, b"[" * 100000, b"a: " * 10000, b"\t", b"'",
    b"!!binary x", b"? ? ?", b"---\n---\n", b"kafka: []\nqueries: []\n", b"kafka: ~\nqueries: ~\n",
    b"x" * 2_000_000, ("a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{b}: &{b} [{','.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefg", "bcdefgh"))).encode(),
], ids=lambda text: repr(text[:12]))
def test_a_file_that_is_no_configuration_is_refused(scene, text):
    scene.config_file.write_bytes(text)
    done = scene.run("config", "check", f"--config.file={scene.config_file}", timeout=10)
    assert done.returncode == CONFIG
    assert str(scene.config_file) in done.stderr
    assert len(done.stderr) < 20_000


@pytest.mark.parametrize("make, told", [
    (lambda path: None, "no such file"),
    (lambda path: path.mkdir(), "directory"),
    (lambda path: path.symlink_to(path), "symbolic links"),
], ids=["absent", "directory", "loop"])
def test_a_configuration_that_cannot_be_read_says_why(scene, make, told):
    make(scene.config_file)
    for command in ([], ["check"]):
        done = scene.run(*command, f"--config.file={scene.config_file}")
        assert done.returncode == CONFIG
        assert str(scene.config_file) in done.stderr and told in done.stderr


def test_a_secret_that_cannot_be_read_names_the_property_and_the_file(scene):
    scene.healthy()
    scene.clusters = [{"name": "live", "bootstrap_servers": "127.0.0.1:1",
                       "properties": {"security.protocol": "SASL_PLAINTEXT",
                                      "sasl.mechanism": "PLAIN", "sasl.username": "u"},
                       "properties_file": {"sasl.password": "/no/such/password"}}]
    scene.configure()
    for command in ([], ["check"]):
        done = scene.run(*command, f"--config.file={scene.config_file}")
        assert done.returncode == CONFIG
        for word in ("live", "sasl.password", "/no/such/password"):
            assert word in done.stderr


@pytest.mark.parametrize("properties", [{"no.such.property": "1"}, {"socket.timeout.ms": "soon"},
                                        {"security.protocol": "TELEPATHY"}], ids=str)
def test_a_client_property_that_is_none_is_a_wrong_configuration(scene, properties):
    scene.healthy()
    scene.clusters = [{"name": "live", "bootstrap_servers": "127.0.0.1:1",
                       "properties": properties}]
    scene.configure()
    [name] = properties
    for command in ([], ["check"]):
        done = scene.run(*command, f"--config.file={scene.config_file}")
        assert done.returncode == CONFIG
        assert name in done.stderr and "live" in done.stderr


# What the file says, and what is told of it.
RECORDINGS = {
    "empty": (b"", ""),
    "torn": (b"cluster_id: x\ntopics: {t: {partitions: {0: {log_start: 0,", ""),
    "unknown key": (b"cluster_id: x\ntopic: {}\n", "topics"),
    "no topics": (b"cluster_id: x\n", "topics"),
    "topics of a list": (b"cluster_id: x\ntopics: [t]\n", "topics"),
    "illegal topic": (b"cluster_id: x\ntopics: {'a b': {partitions: {}}}\n", "a b"),
    "negative offset": (b"topics: {t: {partitions: {0: {log_start: -1001, log_end: 3}}}}\n", "-1001"),
    "beyond int64": (b"topics: {t: {partitions: {0: {log_start: 0, log_end: 9223372036854775808}}}}",
                     "9223372036854775808"),
    "partition of text": (b"topics: {t: {partitions: {zero: {log_start: 0, log_end: 3}}}}", "zero"),
    "beyond int32": (b"topics: {t: {partitions: {2147483648: {log_start: 0, log_end: 3}}}}",
                     "2147483648"),
    "topic id": (b"topics: {t: {id: short, partitions: {}}}", "short"),
    "stamps": (b"topics: {t: {partitions: {0: {log_start: 0, log_end: 3, by_time: [[1]]}}}}",
               "by_time"),
    "timestamp type": (b"topics: {t: {timestamp_type: Wall, partitions: {}}}", "Wall"),
    "twice": (b"topics: {t: {partitions: {}}, t: {partitions: {}}}", "t"),
    "not text": (b"\xff\xfe\x00", ""),
}


@pytest.mark.parametrize("name", RECORDINGS)
def test_a_wrong_recording_is_an_unknown_cluster_with_the_place_of_the_mistake(scene, name):
    text, told = RECORDINGS[name]
    scene.checkpoint("q", {"t": {"0": 5}})
    scene.kafka_file.write_bytes(text)
    status, report = scene.check()
    assert status == 3
    assert [query["state"] for query in report["queries"]] == ["unknown"]
    [unknown] = report["unknown"]
    assert str(scene.kafka_file) in unknown["reason"] and told in unknown["reason"]


def test_a_recording_that_is_not_there_or_never_ends_is_an_unknown_cluster(scene):
    scene.checkpoint("q", {"t": {"0": 5}})
    fifo = scene.directory / "fifo.yaml"
    os.mkfifo(fifo)
    for file in (fifo, scene.directory / "absent.yaml", "/dev/zero"):
        scene.clusters = [{"name": "main", "replay_file": str(file), "timeout": "1s"}]
        scene.configure()
        status, report = scene.check(timeout=15)
        assert status == 3
        assert str(file) in report["unknown"][0]["reason"], report


def test_queries_of_a_cluster_that_is_not_named_need_the_name(scene):
    scene.clusters.append({"name": "other", "replay_file": str(scene.kafka_file)})
    scene.checkpoint("q", {"t": {"0": 5}})
    scene.configure()
    done = scene.run("config", "check", f"--config.file={scene.config_file}")
    assert done.returncode == CONFIG
    assert "kafka" in done.stderr and "main" in done.stderr


def test_two_queries_of_one_name_are_refused(scene):
    path = scene.checkpoint("q", {"t": {"0": 5}})
    scene.queries.append({"name": "q", "checkpoint": str(path) + "2"})
    scene.configure()
    done = scene.run("check", f"--config.file={scene.config_file}")
    assert done.returncode == CONFIG
    assert "q" in done.stderr


def test_config_check_of_a_good_file_does_not_touch_the_world(scene):
    scene.healthy()
    scene.configure()
    assert json.loads(scene.config_file.read_text())["state_dir"] == str(scene.state)
    assert scene.run("config", "check", f"--config.file={scene.config_file}").returncode == 0
    assert not scene.state.exists()
