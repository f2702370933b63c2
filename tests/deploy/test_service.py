"""The service under a real systemd."""

import json
import re
import signal

import pytest
from debian import UNIT, Debian, codename
from documented import ROOT, commands

EXAMPLES = ROOT / "systemd/examples"
INSTALL = (ROOT / "docs/install.md").read_text()
CHECKPOINTS = "/data/checkpoints"
DOCUMENTED = "bookworm"  # whose systemd gave the figures of the page

# Says which path is posted to.
RECEIVER = """
import http.server
class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.end_headers()
        print(self.path, flush=True)
http.server.HTTPServer(("127.0.0.1", 0), Handler).serve_forever()
"""


def example(name, **replaced):
    """A drop-in as it is shipped, with these words in place of others."""
    text = (EXAMPLES / f"{name}.conf").read_text()
    for old, new in replaced.items():
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.fixture(scope="module")
def machine(request, tmp_path_factory, package):
    """A running Debian with the package installed."""
    machine = Debian(tmp_path_factory.mktemp("debian") / "root", package,
                     request.config.getoption("--release") or codename())
    try:
        machine.install(package.file)
        yield machine
    finally:
        machine.remove()


@pytest.fixture
def debian(machine):
    """The same, watching one query against a recorded Kafka; as shipped but for that."""
    machine.drop_in("")
    checkpoint(machine, CHECKPOINTS)
    configure(machine)
    machine.start()
    return machine


def checkpoint(machine, directory, mode=0o755):
    machine.write(f"{directory}/orders/metadata",
                  '{"id":"11111111-2222-3333-4444-555555555555"}')
    machine.write(f"{directory}/orders/offsets/0", 'v1\n{"batchWatermarkMs":0,"batchTimestampMs":'
                  '1796009000000,"conf":{}}\n{"orders":{"0":5}}')
    machine.write(f"{directory}/orders/commits/0", 'v1\n{"nextBatchWatermarkMs":0}')
    (machine.root / directory.lstrip("/")).chmod(mode)


def configure(machine, directory=CHECKPOINTS, name="{job}", **kafka):
    machine.write("/etc/tidegauge/kafka.yaml", json.dumps({"cluster_id": "lab", "topics": {
        "orders": {"partitions": {"0": {"log_start": 0, "log_end": 9, "by_time": [[1000, 0]]}}}}}))
    machine.write("/etc/tidegauge/tidegauge.yaml", json.dumps({
        "kafka": [{"name": "main", **(kafka or {"replay_file": "/etc/tidegauge/kafka.yaml"})}],
        "queries": [{"name": name, "checkpoint": f"{directory}/{{job}}"}],
        "poll_interval": "200ms", "read_timeout": "1s"}))


def rating(debian):
    """The exposure that systemd-analyze sees, of 10."""
    text = debian.run("systemd-analyze", "security", "--threshold=20", UNIT).stdout
    print(text)
    return float(re.search(r"exposure level for tidegauge.service: ([\d.]+)", text)[1])


def test_it_runs_as_its_own_user_who_may_do_nothing(debian):
    assert debian.show("ActiveState", "SubState") == ["active", "running"]
    status = dict(re.findall(r"(\w+):\t(.*)", debian.run("cat", f"/proc/{debian.daemon()}/status").stdout))
    assert int(status["CapEff"], 16) == int(status["CapBnd"], 16) == 0
    assert status["NoNewPrivs"] == "1" and status["Seccomp"] == "2"
    owner = debian.run("stat", "-c", "%U %a", f"/proc/{debian.daemon()}", "/var/lib/tidegauge").stdout
    assert owner.split()[0] == "tidegauge" and owner.splitlines()[1] == "tidegauge 750"


def test_systemd_finds_little_to_object_to(debian):
    assert rating(debian) <= 2.0
    assert debian.run("systemd-analyze", "verify", "--man=no",
                      f"/lib/systemd/system/{UNIT}").stderr == ""


def test_nothing_is_missing_behind_its_walls(debian):
    debian.wait(lambda: debian.state_of("orders") == "ok", "the query is judged")
    metrics = debian.metrics()
    for name in ("cpu_seconds_total", "resident_memory_bytes", "open_fds", "start_time_seconds"):
        assert metrics[f"process_{name}"] > 0
    assert metrics["tidegauge_state_persistent"] == 1
    started = debian.run("stat", "-c", "%Y", f"/proc/{debian.daemon()}").stdout
    assert abs(metrics["process_start_time_seconds"] - float(started)) < 5


def test_its_headline_is_in_the_status(debian):
    debian.wait(lambda: debian.show("StatusText") == ["All clear: 1 query judged"], "a headline")


def test_a_reload_takes_the_new_configuration_and_no_restart(debian):
    before = debian.daemon()
    configure(debian, name="new-{job}")
    debian.systemctl("reload", UNIT)
    debian.wait(lambda: debian.state_of("new-orders") == "ok", "the new name")
    assert debian.daemon() == before and debian.show("ActiveState") == ["active"]
    debian.write("/etc/tidegauge/tidegauge.yaml", "nonsense")
    debian.systemctl("reload", UNIT)
    debian.wait(lambda: "not reloaded" in debian.journal(), "the mistake in the journal")
    assert debian.daemon() == before
    assert debian.metrics()["tidegauge_config_last_reload_successful"] == 0


def test_a_configuration_that_is_wrong_does_not_start_again_and_again(debian):
    debian.write("/etc/tidegauge/tidegauge.yaml", "kafka: []")
    assert debian.run("systemctl", "restart", UNIT, check=False).returncode != 0
    assert debian.show("ActiveState", "ExecMainStatus", "NRestarts") == ["failed", "78", "0"]
    assert "kafka" in debian.journal()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_after_a_crash_it_runs_again(debian, number):
    debian.drop_in("[Service]\nRestartSec=0\n")
    debian.start()
    before = debian.daemon()
    debian.systemctl("kill", "--kill-whom=main", f"--signal={number.name}", UNIT)
    debian.wait(lambda: debian.daemon() not in ("", before), "another process")
    debian.wait(lambda: debian.show("ActiveState") == ["active"], "it runs")


def test_no_core_of_it_fits_anywhere(debian):
    limits = debian.run("cat", f"/proc/{debian.daemon()}/limits").stdout
    assert re.search(r"Max core file size +1 +1 ", limits)


def test_a_process_that_does_not_move_is_ended_and_started_again(debian):
    debian.drop_in("[Service]\nRestartSec=0\nWatchdogSec=2\n")
    debian.start()
    before = debian.daemon()
    debian.systemctl("kill", "--kill-whom=main", "--signal=SIGSTOP", UNIT)
    debian.wait(lambda: debian.daemon() not in ("", before), "another process", 30)
    assert "watchdog" in debian.run("journalctl", "--unit", UNIT, "--no-pager").stdout.lower()


def test_the_end_is_quick_and_clean(debian):
    debian.systemctl("stop", UNIT)
    assert debian.show("Result", "ExecMainStatus") == ["success", "0"]


def test_secrets_of_the_credential_store_reach_it_and_nobody_else(debian):
    debian.write("/etc/credstore/tidegauge.kafka-password", "hush", 0o600)
    configure(debian, bootstrap_servers="127.0.0.1:1", properties={
        "security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN", "sasl.username": "me"},
        properties_file={"sasl.password": "${CREDENTIALS_DIRECTORY}/kafka-password"})
    debian.start()
    assert debian.metrics()['tidegauge_config_last_reload_successful'] == 1
    visible = debian.run("sh", "-c", f"cat /proc/{debian.daemon()}/environ /proc/{debian.daemon()}/cmdline").stdout
    assert "hush" not in visible + debian.journal()
    # Root's commands beside it find the same.
    for command in (["config", "check"], ["history", "orders"], ["check"]):
        done = debian.run("tidegauge", *command, check=False)
        assert done.returncode in (0, 3) and "CREDENTIALS" not in done.stderr, done.stderr
    (debian.root / "etc/credstore/tidegauge.kafka-password").unlink()


def test_without_its_secret_it_says_which(debian):
    configure(debian, bootstrap_servers="127.0.0.1:1",
              properties_file={"sasl.password": "${CREDENTIALS_DIRECTORY}/kafka-password"})
    assert debian.run("systemctl", "restart", UNIT, check=False).returncode != 0
    assert "kafka-password" in debian.journal()


def test_checkpoints_under_home_need_a_drop_in(debian):
    checkpoint(debian, "/home")
    configure(debian, "/home")
    debian.start()
    assert debian.state_of("orders") != "ok"
    debian.drop_in(example("home"))
    debian.start()
    debian.wait(lambda: debian.state_of("orders") == "ok", "it is judged")


def test_checkpoints_of_a_group_need_a_drop_in(debian):
    debian.run("groupadd", "--force", "spark")
    checkpoint(debian, "/data/closed", 0o750)
    debian.run("chgrp", "spark", "/data/closed")
    configure(debian, "/data/closed")
    debian.start()
    assert debian.state_of("orders") != "ok"
    debian.drop_in(example("group"))
    debian.start()
    debian.wait(lambda: debian.state_of("orders") == "ok", "it is judged")


def test_checkpoints_that_no_group_may_read_need_another(debian):
    checkpoint(debian, "/data/secret", 0o700)
    configure(debian, "/data/secret")
    debian.drop_in(example("read-all"))
    debian.start()
    debian.wait(lambda: debian.state_of("orders") == "ok", "it is judged")
    status = debian.run("cat", f"/proc/{debian.daemon()}/status").stdout
    assert "CapBnd:\t0000000000000004\n" in status  # CAP_DAC_READ_SEARCH


def test_a_keytab_is_a_credential(debian):
    debian.write("/etc/tidegauge/kafka.keytab", "keys", 0o600)
    debian.drop_in(example("kerberos"))
    debian.start()
    environment = debian.run("cat", f"/proc/{debian.daemon()}/environ").stdout
    assert "KRB5_CLIENT_KTNAME=FILE:/run/credentials/tidegauge.service/keytab" in environment
    assert "KRB5CCNAME=MEMORY:" in environment


def test_secrets_of_other_names(debian):
    debian.write("/etc/tidegauge/credentials/second-password", "hush", 0o600)
    configure(debian, bootstrap_servers="127.0.0.1:1",
              properties_file={"sasl.password": "${CREDENTIALS_DIRECTORY}/second-password"})
    debian.drop_in(example("credentials"))
    debian.start()
    assert debian.show("ActiveState") == ["active"]


def test_a_mount_that_is_not_there_does_not_keep_it_from_starting(debian):
    debian.drop_in(example("nfs"))
    debian.start()
    assert "mnt-checkpoints.mount" in debian.show("After")[0]


def test_a_mount_is_made_before_it_starts(debian):
    debian.write("/etc/systemd/system/mnt-checkpoints.mount",
                 f"[Mount]\nWhat={CHECKPOINTS}\nWhere=/mnt/checkpoints\nType=none\nOptions=bind,ro\n")
    configure(debian, "/mnt/checkpoints")
    debian.drop_in(example("nfs"))
    debian.start()
    try:
        assert debian.show("ActiveState", unit="mnt-checkpoints.mount") == ["active"]
        debian.wait(lambda: debian.state_of("orders") == "ok", "it is judged")
    finally:
        debian.systemctl("stop", UNIT, "mnt-checkpoints.mount")


def test_a_broker_and_alertmanager_are_reached_by_their_names(debian):
    """Of the broker only the network is real: it is librdkafka's mock, inside kcat."""
    debian.write("/etc/hosts", "127.0.0.1 localhost broker.example alertmanager.example\n")
    with debian.beside("kcat", "-P", "-b", "mock", "-t", "orders", "-X", "test.mock.num.brokers=1") as broker, \
            debian.beside("python3", "-c", RECEIVER) as receiver:
        broker.stdin.write(b"record\n")
        broker.stdin.flush()
        port = debian.wait_for_port(broker.pid)
        configure(debian, bootstrap_servers=f"broker.example:{port}")
        settings = json.loads((debian.root / "etc/tidegauge/tidegauge.yaml").read_text())
        settings["alertmanager"] = {
            "urls": f"http://alertmanager.example:{debian.wait_for_port(receiver.pid)}"}
        settings["queries"].append({"name": "gone", "checkpoint": "/data/gone", "kafka": "main"})
        debian.write("/etc/tidegauge/tidegauge.yaml", json.dumps(settings))
        debian.start()
        debian.wait(lambda: debian.metrics().get('tidegauge_kafka_up{kafka_cluster="main"}') == 1,
                    "the broker has answered")
        assert receiver.stdout.readline() == b"/api/v2/alerts\n"


@pytest.mark.parametrize("name", sorted(file.stem for file in EXAMPLES.glob("*.conf")))
def test_no_drop_in_opens_it_far(debian, name):
    debian.drop_in(example(name))
    debian.systemctl("daemon-reload")
    exposure = rating(debian)
    assert exposure <= 2.0
    (row,) = re.findall(rf"^.*/{name}\.conf\) \|.*$", INSTALL, re.M)
    assert codename() != DOCUMENTED or row.endswith(f"| {exposure:.1f} |")


def test_a_socket_of_systemd(debian):
    debian.write("/etc/default/tidegauge", 'ARGS="--web.systemd-socket"\n')
    try:
        for line in commands("docs/install.md", "The port as a socket of systemd"):
            debian.run("sh", "-c", line)
        assert debian.get("/-/healthy") == "tidegauge is healthy.\n"
        # Who comes while it does not run waits, and has it started.
        debian.systemctl("stop", UNIT)
        assert debian.get("/-/healthy") == "tidegauge is healthy.\n"
        debian.systemctl("restart", UNIT)
        assert debian.get("/-/healthy") == "tidegauge is healthy.\n"
    finally:
        debian.write("/etc/default/tidegauge", 'ARGS=""\n')
        debian.systemctl("disable", "tidegauge.socket")
        debian.systemctl("stop", "tidegauge.socket", UNIT)
