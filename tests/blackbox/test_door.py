"""TLS, client certificates and passwords on the daemon's port, and what is rotated under it; with a
real curl and a real Prometheus."""

import base64

import pytest
from scenes.door import OLD_TLS, Certificates, Door, bcrypt_hash, request
from servers.prometheus import Prometheus
from servers.server import wait_until

PATHS = ("/", "/metrics", "/api/v1/queries", "/api/v1/findings", "/api/v1/history", "/-/healthy",
         "/-/ready", "/nowhere")
SECRET = "correct horse"
OPEN = ("-u", f"prom:{SECRET}")


@pytest.fixture
def door(scene):
    scene.healthy()
    return Door(scene)


def authorization(password):
    return f"Authorization: Basic {base64.b64encode(f'prom:{password}'.encode()).decode()}\r\n"


# ------------------------------------------------------------------------------- TLS


def test_tls_of_1_2_and_1_3_and_nothing_older(door):
    door.open()
    assert door.status("--tls-max", "1.2") == 200
    assert door.status("--tlsv1.3") == 200
    status, _, why = door.curl("--tls-max", "1.1", "--ciphers", OLD_TLS)
    assert status == 0 and "protocol version" in why


def test_versions_and_ciphers_are_what_the_file_says(door):
    door.write({"min_version": "TLS11", "max_version": "TLS12", "prefer_server_cipher_suites": True,
                "cipher_suites": ["TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
                                  "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA"],
                "curve_preferences": ["CurveP384"]})
    door.open()
    assert door.status("--tls-max", "1.1", "--ciphers", OLD_TLS) == 200
    assert door.status("--tlsv1.3") == 0
    assert "ECDHE-ECDSA-AES256-GCM-SHA384" in door.curl("-v", "--curves", "P-384:P-256")[2]
    assert door.status("--tls-max", "1.2", "--ciphers", "ECDHE-ECDSA-AES128-GCM-SHA256") == 0
    assert door.status("--curves", "P-256") == 0


def test_http_on_the_port_of_tls_is_told_so(door):
    status, answer, _ = door.open().curl("--http0.9", scheme="http")
    assert status == 400
    assert "Client sent an HTTP request to an HTTPS server." in answer


def test_a_client_that_would_rather_have_http_2_gets_1_1(door):
    status, answer, _ = door.open().curl("--http2")
    assert status == 200 and answer.startswith("HTTP/1.1 ")


def test_headers_are_on_every_answer(door):
    door.write(http_server_config={"http2": True, "headers": {
        "Strict-Transport-Security": "max-age=31536000", "X-Frame-Options": "deny",
        "Content-Security-Policy": "default-src 'self'"}},
        basic_auth_users={"prom": bcrypt_hash(SECRET)})
    door.open()
    for who, status in ((OPEN, 200), ((), 401)):
        found, answer, _ = door.curl(*who, path="/")
        assert found == status
        assert "Strict-Transport-Security: max-age=31536000\n" in answer.replace("\r", "")
        assert "X-Frame-Options: deny\n" in answer.replace("\r", "")
        assert answer.count("Content-Security-Policy") == 1 and "default-src 'self'" in answer


# ------------------------------------------------------------------------------- client certificates


def test_only_clients_of_the_ca_come_in(door):
    door.certificates.sign("prometheus", "DNS:prometheus.example,URI:spiffe://lab/prometheus")
    stranger = Certificates(door.certificates.directory, ca="other_ca")
    stranger.sign("stranger", "DNS:prometheus.example")
    door.write({"client_auth_type": "RequireAndVerifyClientCert", "client_ca_file": "tls/ca.pem"})
    door.open()
    assert door.status(*door.client("prometheus")) == 200
    assert door.status(*door.client("stranger")) == 0
    assert door.status() == 0

    # A change applies to whoever connects next, and those who are connected have to connect again.
    door.write({"client_auth_type": "RequireAndVerifyClientCert", "client_ca_file": "tls/other_ca.pem"})
    door.wait_status(200, *door.client("stranger"))
    assert door.status(*door.client("prometheus")) == 0


@pytest.mark.parametrize("allowed, status", [
    (["prometheus.example"], 200), (["spiffe://lab/prometheus"], 200), (["192.0.2.7"], 200),
    (["ops@lab.example"], 200), (["other.example", "prometheus"], 0), ([], 0)])
def test_a_client_must_have_a_name_that_is_allowed(door, allowed, status):
    door.certificates.sign("prometheus", "DNS:prometheus.example,URI:spiffe://lab/prometheus,"
                                         "IP:192.0.2.7,email:ops@lab.example")
    door.write({"client_auth_type": "RequireAndVerifyClientCert", "client_ca_file": "tls/ca.pem",
                "client_allowed_sans": allowed})
    assert door.open().status(*door.client("prometheus")) == status


@pytest.mark.parametrize("kind, of_ca, of_another, none", [
    ("NoClientCert", 200, 200, 200), ("RequestClientCert", 200, 200, 200),
    ("RequireAnyClientCert", 200, 200, 0), ("VerifyClientCertIfGiven", 200, 0, 200),
    ("RequireAndVerifyClientCert", 200, 0, 0)])
def test_what_each_kind_of_client_authentication_takes(door, kind, of_ca, of_another, none):
    door.certificates.sign("friend")
    Certificates(door.certificates.directory, ca="other_ca").sign("stranger")
    ca = {} if kind == "NoClientCert" else {"client_ca_file": "tls/ca.pem"}
    door.write({"client_auth_type": kind, **ca})
    door.open()
    assert (door.status(*door.client("friend")), door.status(*door.client("stranger")),
            door.status()) == (of_ca, of_another, none)


# ------------------------------------------------------------------------------- passwords


def test_every_path_is_behind_the_password(door):
    door.write(basic_auth_users={"prom": bcrypt_hash(SECRET), "ops": bcrypt_hash("other")})
    door.open("--web.enable-lifecycle")
    for path in PATHS:
        status, answer, _ = door.curl(path=path)
        assert status == 401 and "WWW-Authenticate: Basic" in answer, path
        assert "tidegauge_" not in answer, path
    assert door.status("-X", "POST", path="/-/reload") == 401
    assert "reloaded" not in door.daemon.log()
    wait_until(lambda: door.status(*OPEN, path="/-/ready") == 200, "ready")
    for path in PATHS:
        assert door.status(*OPEN, path=path) == (404 if path == "/nowhere" else 200), path
    assert door.status(*OPEN, "-X", "POST", path="/-/reload") == 200
    assert door.status("-u", "ops:other") == 200
    for wrong in ("prom:", "prom:Correct horse", f"prom:{SECRET}x", f"ops:{SECRET}", f":{SECRET}",
                  f"nobody:{SECRET}", "prom:other"):
        assert door.status("-u", wrong) == 401, wrong


def test_a_password_that_is_withdrawn_stops_at_the_next_request(door):
    door.write(basic_auth_users={"prom": bcrypt_hash(SECRET)})
    door.open()
    with door.connect_tls() as kept:
        assert request(kept, header=authorization(SECRET))[0] == 200
        assert request(kept, header=authorization(SECRET))[0] == 200
        door.write(basic_auth_users={"prom": bcrypt_hash("another")})
        door.daemon.wait_log("web configuration read again")
    # TLS itself was made anew, so that who had connected before has been let go.
    assert door.status(*OPEN) == 401
    assert door.status("-u", "prom:another") == 200


def test_a_password_that_is_withdrawn_stops_on_a_connection_that_is_kept(door):
    door.write(False, basic_auth_users={"prom": bcrypt_hash(SECRET)})
    door.open()
    with door.connect() as kept:
        assert request(kept, header=authorization(SECRET))[0] == 200
        door.write(False, basic_auth_users={"prom": bcrypt_hash("another")})
        door.daemon.wait_log("web configuration read again")
        assert request(kept, header=authorization(SECRET))[0] == 401
        assert request(kept, header=authorization("another"))[0] == 200


def test_no_secret_is_logged(door):
    hashed = bcrypt_hash(SECRET)
    door.write(basic_auth_users={"prom": hashed})
    door.open("--log.level=debug")
    assert door.status(*OPEN) == 200 and door.status("-u", "prom:guess") == 401
    door.write(basic_auth_users={"prom": hashed[:-1]})
    log = door.daemon.wait_log("web configuration not read again")
    assert f"{door.file}:" in log
    for secret in (hashed[8:], SECRET, "guess", base64.b64encode(f"prom:{SECRET}".encode()).decode()):
        assert secret not in log + door.curl(*OPEN)[1]


# ------------------------------------------------------------------------------- rotation


def test_a_renewed_certificate_is_served_and_a_wrong_one_is_not(door):
    door.open()
    first = door.served_certificate()
    key = door.certificates.path("server.key")
    key.write_text("no key")
    log = door.daemon.wait_log("web configuration not read again")
    assert "key_file" in log and f"{door.file}:" in log
    assert door.served_certificate() == first and door.status() == 200

    door.certificates.sign("server")  # certificate and key, one after the other
    wait_until(lambda: door.served_certificate() != first, "the new certificate")
    assert door.status() == 200
    assert door.daemon.log().count("not read again") == 1, "it is said once"


def test_a_file_that_has_become_wrong_or_empty_changes_nothing(door):
    door.write(basic_auth_users={"prom": bcrypt_hash(SECRET)})
    door.open()
    assert door.status(*OPEN) == 200
    door.file.write_text("basic_auth_user: {}\n")
    assert f"{door.file}:1: unknown key" in door.daemon.wait_log("not read again")
    door.file.write_text("")
    door.daemon.wait_log("not read again", count=2)
    assert "the file is empty" in door.daemon.log()
    door.file.unlink()
    door.daemon.wait_log("not read again", count=3)
    assert (door.status(*OPEN), door.status()) == (200, 401)
    door.write(basic_auth_users={"prom": bcrypt_hash("another")})
    door.wait_status(200, "-u", "prom:another")


def test_tls_may_come_and_go(door):
    door.write(False, rate_limit={"interval": "1ms", "burst": 1000})
    door.open()
    with door.connect() as kept:
        assert request(kept)[0] == 200
        door.write()
        door.wait_status(200)
        assert kept.recv(1) == b"", "a connection without TLS has been closed"
    door.write(False, rate_limit={"interval": "1ms", "burst": 1000})
    door.wait_status(200, scheme="http")


def test_a_real_prometheus_scrapes_on_while_everything_is_rotated(scene, door):
    door.certificates.sign("prometheus")
    strict = {"client_auth_type": "RequireAndVerifyClientCert", "client_ca_file": "tls/ca.pem"}
    hashed = bcrypt_hash(SECRET)
    door.write(strict, basic_auth_users={"prom": hashed})
    door.open()
    tls = door.certificates.directory
    prometheus = Prometheus(scene.directory / "prometheus", door.daemon.address, client={
        "scheme": "https", "scrape_interval": "500ms", "scrape_timeout": "500ms", "basic_auth": {"username": "prom", "password": SECRET},
        "tls_config": {"ca_file": f"{tls}/ca.pem", "cert_file": f"{tls}/prometheus.pem",
                       "key_file": f"{tls}/prometheus.key"}}).start()
    try:
        wait_until(lambda: prometheus.value("tidegauge_ready") == 1, "a scrape")
        first = door.served_certificate("prometheus")
        door.certificates.sign("server")
        wait_until(lambda: door.served_certificate("prometheus") != first, "the new certificate")
        door.write(strict, basic_auth_users={"prom": hashed, "ops": bcrypt_hash("other")})
        door.daemon.wait_log("web configuration read again", count=2)
        seen = prometheus.value("count_over_time(up[1h])")
        wait_until(lambda: prometheus.value("count_over_time(up[1h])") >= seen + 5, "scrapes")
        assert prometheus.value('min_over_time(up{job="tidegauge"}[1h])') == 1
    finally:
        prometheus.stop()
