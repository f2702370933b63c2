"""The file of the door as `config check` and the daemon's start see it, beside Prometheus' promtool."""

import contextlib
import json
import os
import pty
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from scenes.door import Certificates, Door, bcrypt_hash

ROOT = Path(__file__).resolve().parents[2]
TLS = {"cert_file": "tls/server.pem", "key_file": "tls/server.key"}
HASH = bcrypt_hash("swordfish")


def tls(**settings):
    return {"tls_server_config": {**TLS, **settings}}


GOOD = {
    "empty": "",
    "comments": "# tls_server_config:\n",
    "tls": tls(),
    "verified": tls(client_auth_type="RequireAndVerifyClientCert", client_ca_file="tls/ca.pem"),
    "verified_by_the_system": tls(client_auth_type="RequireAndVerifyClientCert"),
    "any_certificate": tls(client_auth_type="RequireAnyClientCert"),
    "old_name": tls(client_auth_type="RequireClientCert"),
    "asked": tls(client_auth_type="RequestClientCert"),
    "if_given": tls(client_auth_type="VerifyClientCertIfGiven", client_ca_file="tls/ca.pem"),
    "none": tls(client_auth_type="NoClientCert"),
    "versions": tls(min_version="TLS10", max_version="TLS12"),
    "ciphers": tls(cipher_suites=["TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_AES_128_GCM_SHA256",
                                  "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA"]),
    "curves": tls(curve_preferences=["CurveP256", "CurveP384", "CurveP521", "X25519"]),
    "order": tls(prefer_server_cipher_suites=False),
    "users": {"basic_auth_users": {"a": HASH, "b": HASH.replace("$2y", "$2b"), "c c": HASH}},
    "headers": {"http_server_config": {"http2": False, "headers": {
        "X-Frame-Options": "deny", "X-Content-Type-Options": "nosniff", "X-XSS-Protection": 1,
        "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
        "Content-Security-Policy": "default-src 'self' *.test.example.net"}}},
    "sections_without_settings": "tls_server_config:\nbasic_auth_users:\nhttp_server_config:\n",
    "no_users": {"basic_auth_users": {}},
}

BAD = {
    "unknown_section": {"tls_config": TLS},
    "unknown_key": tls(cert_filse="x"),
    "unknown_http": {"http_server_config": {"http3": True}},
    "twice": "basic_auth_users: {}\nbasic_auth_users: {}\n",
    "no_mapping": "words\n",
    "torn": "tls_server_config: {cert_file: \n",
    "cert_alone": {"tls_server_config": {"cert_file": "tls/server.pem"}},
    "key_alone": {"tls_server_config": {"key_file": "tls/server.key"}},
    "blank_cert": tls(cert_file=""),
    "no_cert_there": tls(cert_file="nowhere.pem"),
    "no_key_there": tls(key_file="nowhere.key"),
    "no_ca_there": tls(client_auth_type="RequireAndVerifyClientCert", client_ca_file="nowhere.pem"),
    "cert_is_none": tls(cert_file="web.yml"),
    "key_is_none": tls(key_file="tls/server.pem"),
    "key_of_another": tls(key_file="tls/ca.key"),
    "ca_without_policy": tls(client_ca_file="tls/ca.pem"),
    "policy": tls(client_auth_type="Sometimes"),
    "version": tls(min_version="TLS14"),
    "cipher": tls(cipher_suites=["TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA2048"]),
    "curve": tls(curve_preferences=["CurveP257"]),
    "bool": tls(prefer_server_cipher_suites="perhaps"),
    "list": tls(cipher_suites={"a": "b"}),
    "header": {"http_server_config": {"headers": {"Content-Type": "x"}}},
    "header_value": {"http_server_config": {"headers": {"X-Content-Type-Options": "sniff"}}},
    "frame_options": {"http_server_config": {"headers": {"X-Frame-Options": "foo"}}},
    "plain_password": {"basic_auth_users": {"a": "swordfish"}},
    "no_password": "basic_auth_users:\n  a:\n",
    "users_as_list": {"basic_auth_users": [{"a": HASH}]},
}

# What promtool takes and we do not: it would do nothing, or lock everybody out.
STRICTER = {
    "tls_without_certificate": {"tls_server_config": {"min_version": "TLS13"}},
    "no_version_left": tls(min_version="TLS13", max_version="TLS12"),
    "ca_without_certificates": tls(client_auth_type="RequireAndVerifyClientCert",
                                   client_ca_file="tls/server.key"),
    "hash_of_strange_letters": {"basic_auth_users": {"a": HASH[:-1] + "!"}},
    "name_with_colon": {"basic_auth_users": {"a:b": HASH}},
}


def typed(command, password):
    """What `command` prints when somebody types `password` as often as it asks."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp("bash", ["bash", "-c", command])
    said = b""
    with contextlib.suppress(OSError):  # so a terminal ends
        while more := os.read(terminal, 1024):
            said += more
            if more.rstrip().endswith(b"password:"):
                os.write(terminal, password.encode() + b"\n")
    os.waitpid(pid, 0)
    os.close(terminal)
    return said.decode().strip().splitlines()[-1]


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    directory = tmp_path_factory.mktemp("door")
    Certificates(directory / "tls").sign("server")
    return directory


@pytest.fixture
def judge(binary, directory):
    """What we and promtool say of a file: (exit status, text) each."""
    def judge(content):
        file = directory / "web.yml"
        file.write_text(content if isinstance(content, str) else json.dumps(content, indent=1))
        return [(done.returncode, done.stdout + done.stderr) for done in (
            subprocess.run([*command, file], cwd=directory, capture_output=True, text=True,
                           check=False, timeout=30)
            for command in ([binary, "config", "check", "--web.config.file"],
                            [shutil.which("promtool"), "check", "web-config"]))]
    return judge


@pytest.mark.parametrize("name", GOOD)
def test_what_promtool_takes_we_take(judge, name):
    ours, theirs = judge(GOOD[name])
    assert theirs[0] == 0, theirs
    assert ours[0] == 0, ours
    assert "web.yml: good: " + ("TLS" if "tls/server.pem" in json.dumps(GOOD[name]) else "plain") \
        in ours[1]


@pytest.mark.parametrize("name", BAD)
def test_what_promtool_refuses_we_refuse(judge, name):
    ours, theirs = judge(BAD[name])
    assert theirs[0] != 0, theirs
    assert ours[0] == 78, ours
    assert "web.yml:" in ours[1] and "swordfish" not in ours[1]


@pytest.mark.parametrize("name", STRICTER)
def test_where_we_are_stricter_than_promtool(judge, name):
    ours, theirs = judge(STRICTER[name])
    assert (ours[0], theirs[0]) == (78, 0), (ours, theirs)


def test_the_daemon_does_not_start_with_a_wrong_file(scene):
    scene.healthy()
    door = Door(scene)
    door.write({"cert_file": "tls/nowhere.pem"}, basic_auth_users={"a": "swordfish"})
    scene.configure()
    done = scene.run(f"--config.file={scene.config_file}", f"--web.config.file={door.file}",
                     "--web.listen-address=127.0.0.1:0")
    assert done.returncode == 78
    assert f"{door.file}:3: the password of 'a' is no bcrypt hash" in done.stderr
    assert "swordfish" not in done.stderr + done.stdout
    done = scene.run(f"--config.file={scene.config_file}", "--web.config.file=/nowhere.yml")
    assert done.returncode == 78 and "/nowhere.yml: " in done.stderr


def test_the_documentation_makes_a_file_that_is_good(scene):
    page = (ROOT / "docs/web_config.md").read_text()
    make_certificate, make_hash = re.findall(r"^```\n((?:openssl req|htpasswd).*?)^```", page,
                                             re.M | re.S)
    example = re.search(r"^```yaml\n(tls_server_config:.*?)^```", page, re.M | re.S)[1]
    subprocess.run(["bash", "-c", make_certificate], cwd=scene.directory, check=True, timeout=30,
                   capture_output=True)
    hashed = typed(make_hash, "swordfish")
    assert re.fullmatch(r"\$2y\$10\$[./A-Za-z0-9]{53}", hashed)
    (scene.directory / "web.yml").write_text(re.sub(r"\$2y\S+", lambda _: hashed, example))
    scene.healthy()
    door = Door(scene)
    door.open()
    assert door.status("-u", "prometheus:swordfish", insecure=True) == 200
    assert door.status("-u", "prometheus:sword", insecure=True) == 401


def test_the_example_is_good(scene):
    certificates = Certificates(scene.directory / "tls")
    certificates.sign("server")
    certificates.path("ca.pem").rename(certificates.path("clients.pem"))
    shutil.copy(ROOT / "config/examples/web.yml", scene.directory)
    done = scene.run("config", "check", "--web.config.file=web.yml")
    assert (done.returncode, done.stdout) == (0, "web.yml: good: TLS, with passwords\n"), done.stderr


def test_both_files_can_be_checked_at_once(scene):
    scene.healthy()
    scene.configure()
    door = Door(scene)
    door.write(basic_auth_users={"a": HASH})
    done = scene.run("config", "check", f"--config.file={scene.config_file}",
                     f"--web.config.file={door.file}")
    assert done.returncode == 0 and done.stdout.count("good: ") == 2
    scene.config_file.write_text("kafka: 1\n")
    done = scene.run("config", "check", f"--config.file={scene.config_file}",
                     f"--web.config.file={door.file}")
    assert done.returncode == 78 and done.stdout.count("good: ") == 1


def test_paths_start_at_the_file_and_credentials_at_their_directory(scene):
    scene.healthy()
    door = Door(scene)
    door.write({"key_file": "${CREDENTIALS_DIRECTORY}/server.key"})
    done = scene.run("config", "check", f"--web.config.file={door.file}", cwd="/")
    assert done.returncode == 78 and "/run/credentials/tidegauge.service/server.key" in done.stderr
    done = scene.run("config", "check", f"--web.config.file={door.file}", cwd="/",
                     env={"CREDENTIALS_DIRECTORY": str(door.certificates.directory)})
    assert done.returncode == 0, done.stderr


def test_the_flag_is_for_the_daemon(scene):
    done = scene.run("--web.config.file=web.yml", "check")
    assert done.returncode == 64 and "--web.config.file is for the daemon" in done.stderr
