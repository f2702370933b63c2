"""What README, the man page and the pages for administrators say to type, typed in a Debian into which
the package was installed."""

import json
import re
import shutil

import pytest
from debian import UNIT, Debian, codename, output_of
from documented import ROOT, commands, examples_of_the_man_page

PASSWORD = "swordfish"
CRITICAL = 2  # exit status of `tidegauge check`: README.md, "Ask once"
CONFIG = "/etc/tidegauge/tidegauge.yaml"

# What this Debian does not have, and who types it.
ELSEWHERE = {
    "deploy/install-deps": "tests/deploy/test_from_source.py", "cmake": "tests/deploy/test_from_source.py",
    "cpack": "tests/deploy/test_from_source.py", "deploy/demo": "tests/deploy/test_from_source.py",
    "tests/run": ".ci/run", "buildah": "tests/image/run", "docker": "tests/image/run",
    "htpasswd": "tests/blackbox/test_door_file.py",
    "kafka-acls.sh": "tests/logins/test_documented_commands.py",
    "kafka-broker-api-versions.sh": "tests/logins/test_documented_commands.py",
    "kubectl": "nobody: it takes a cluster",
    "curl -sS --data-urlencode": "nobody: it takes a Prometheus of that name",
}


def is_typed_here(line):
    return not line.startswith(tuple(f"{beginning} " for beginning in ELSEWHERE)) and line not in ELSEWHERE


@pytest.fixture(scope="module")
def machine(request, tmp_path_factory, package):
    release = request.config.getoption("--release") or codename()
    machine = Debian(tmp_path_factory.mktemp("debian") / "root", package, release,
                     also=("curl", "openssl"))
    try:
        machine.write("/etc/hosts", f"127.0.0.1 localhost {machine.run('hostname').stdout}")
        yield machine
    finally:
        machine.remove()


def watch_orders(machine, directory="/data/checkpoints"):
    """A query that has passed over records, configured to be watched."""
    for batch, offset in ((11, 400), (12, 500), (13, 300)):
        planned = json.dumps({"batchWatermarkMs": 0, "batchTimestampMs": 1796009000000 + batch, "conf": {}})
        machine.write(f"{directory}/orders/offsets/{batch}",
                      f'v1\n{planned}\n{{"orders":{{"0":{offset}}}}}')
        machine.write(f"{directory}/orders/commits/{batch}", 'v1\n{"nextBatchWatermarkMs":0}')
    machine.write(f"{directory}/orders/metadata", '{"id":"11111111-2222-3333-4444-555555555555"}')
    machine.write("/etc/tidegauge/kafka.yaml", json.dumps({"cluster_id": "lab", "topics": {
        "orders": {"partitions": {"0": {"log_start": 0, "log_end": 900, "by_time": [[1000, 0]]}}}}}))
    machine.write(CONFIG, json.dumps({
        "kafka": [{"name": "main", "replay_file": "/etc/tidegauge/kafka.yaml"}],
        "queries": [{"name": "{job}", "checkpoint": f"{directory}/{{job}}"}], "poll_interval": "200ms"}))


@pytest.fixture
def debian(machine, package):
    """With the package, and a query about which there is something to say."""
    machine.install(package.file)
    watch_orders(machine)
    machine.start()
    machine.wait(lambda: "records_skipped" in machine.get("/api/v1/findings"), "the finding")
    yield machine
    machine.dpkg("-P", "tidegauge")
    shutil.rmtree(machine.root / "var/tmp/plan-orders", ignore_errors=True)


def expected_status(line):
    return CRITICAL if line.startswith("tidegauge check") else 0


def type_in(machine, line, directory="/root"):
    """What a command prints."""
    if line.startswith("tidegauge --"):
        return serve(machine, line)
    answering_yes = re.sub(r"^apt ", "apt -y ", line)
    done = machine.run("bash", "-o", "pipefail", "-c", f"cd {directory} && {answering_yes}", check=False)
    assert done.returncode == expected_status(line), f"{line}: {done.stdout}{done.stderr}{machine.journal()}"
    return done.stdout


def serve(machine, line):
    """A daemon in the place of the service: it comes up, and ends when it is told to."""
    machine.systemctl("stop", UNIT)
    done = machine.run("sh", "-c", f"""
        {line} 2> /tmp/log & daemon=$!
        while ! grep -q listening /tmp/log && kill -0 $daemon; do sleep 0.1; done
        kill $daemon; wait $daemon""", check=False)
    assert done.returncode == 0, f"{line}: {machine.run('cat', '/tmp/log').stdout}"
    machine.start()
    return ""


def test_who_types_the_rest_is_there():
    for who in ELSEWHERE.values():
        assert who.startswith("nobody: ") or (ROOT / who).exists()


def test_the_pages_are_found_to_have_commands():
    assert "tidegauge history orders" in commands("README.md")
    assert "apt remove tidegauge" in commands("docs/install.md", "Remove")
    assert "kubectl" not in " ".join(filter(is_typed_here, commands("docs/alerts.md")))


def test_readme(debian, package):
    shutil.copy(package.file, debian.root / "root")
    write_web_file(debian, "README.md")
    for line in filter(is_typed_here, commands("README.md")):
        if "--hdfs.mount=/mnt/hdfs" in line:
            shutil.rmtree(debian.root / "var/tmp/plan-orders")
            watch_orders(debian, "/mnt/hdfs/checkpoints")
        type_in(debian, line)
    assert "0-299 loaded by hand" in type_in(debian, "tidegauge history orders")
    assert list((debian.root / "root/orders-recorded").iterdir())
    assert (debian.root / "var/tmp/plan-orders").is_dir()


@pytest.mark.parametrize("page", ["docs/alerts.md", "docs/scale.md"])
def test_page(debian, page):
    lines = list(filter(is_typed_here, commands(page)))
    assert lines
    for line in lines:
        type_in(debian, line)


def test_what_is_typed_elsewhere_only():
    for page in ("docs/config.md", "docs/kafka_access.md", "docs/metrics.md", "docs/security.md"):
        assert not list(filter(is_typed_here, commands(page)))


def test_man_page(debian):
    lines = examples_of_the_man_page()
    assert len(lines) >= 3
    for line in lines:
        type_in(debian, line)


def since_of_the_finding(machine):
    machine.wait(lambda: "records_skipped" in machine.get("/api/v1/findings"), "the finding")
    (finding,) = json.loads(machine.get("/api/v1/findings"))["findings"]
    return finding["since"]


def test_install_page(machine, package, tmp_path):
    """From its beginning to its end, but for what is built."""
    for file in (package, package.newer(tmp_path)):
        named = re.search(rf"tidegauge_{file.field('Version').split('-')[0]}\S*\.deb",
                          (ROOT / "docs/install.md").read_text())
        shutil.copy(file.file, machine.root / "root" / named[0])
    lines = commands("docs/install.md")
    typed = [line for line in lines if is_typed_here(line)]
    assert {line.split()[0] for line in typed} >= {"apt", "sudoedit", "systemctl", "tidegauge"}
    since = None
    for line in typed:
        if line.startswith("sudoedit"):
            watch_orders(machine)
        elif "tidegauge_0.2.0" in line:
            type_in(machine, line)
            machine.start()
            assert since_of_the_finding(machine) == since
        elif line.startswith("apt install --allow-downgrades"):
            type_in(machine, line)
            assert machine.run("dpkg-query", "-W", "-f", "${Version}", "tidegauge").stdout == package.field("Version")
            assert since_of_the_finding(machine) == since
        elif line.startswith("systemctl enable --now tidegauge.socket"):
            machine.write("/etc/default/tidegauge", 'ARGS="--web.systemd-socket"\n')
            type_in(machine, line)
        else:
            type_in(machine, line)
        if line.startswith("systemctl reload"):
            since = since_of_the_finding(machine)
    assert not (machine.root / CONFIG.lstrip("/")).exists()
    assert not (machine.root / "var/lib/tidegauge").exists()


def write_web_file(machine, page):
    """The page's, with a password that is known here; there are certificate and key, until others are made."""
    (example,) = re.findall(r"^```yaml\n(tls_server_config:.*?)^```", (ROOT / page).read_text(), re.M | re.S)
    hashed = output_of("htpasswd", "-nbBC", "10", "", PASSWORD).strip(":\n")
    machine.write("/etc/tidegauge/web.yml", re.sub(r"\$2y\S+", lambda _: hashed, example))
    machine.run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=first",
                "-keyout", "/etc/tidegauge/server.key", "-out", "/etc/tidegauge/server.pem")


def test_web_config(debian):
    """Its certificate and its file, and who knocks is let in."""
    write_web_file(debian, "docs/web_config.md")
    for line in filter(is_typed_here, commands("docs/web_config.md")):
        if line.startswith("setpriv"):
            debian.write("/etc/default/tidegauge", 'ARGS="--web.config.file=/etc/tidegauge/web.yml"\n')
        at_its_name = line.replace("//host:", "//$(hostname):").replace("connect host:", "connect $(hostname):")
        typed = at_its_name.replace("-u prometheus", f"-u prometheus:{PASSWORD}")
        shown = type_in(debian, typed, "/etc/tidegauge")
        if line.startswith("curl"):
            assert shown == "tidegauge is healthy.\n"
        if line.startswith("openssl s_client"):
            assert "Verify return code: 0 (ok)" in shown
