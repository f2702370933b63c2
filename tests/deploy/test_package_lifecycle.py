"""The package in a clean Debian: installed, upgraded over a running older version, removed, purged."""

import pytest
from debian import UNIT, Debian, codename

CONFIG = "etc/tidegauge/tidegauge.yaml"


@pytest.fixture(scope="module")
def release(request):
    return request.config.getoption("--release") or codename()


@pytest.fixture(scope="module")
def machine(tmp_path_factory, package, release):
    machine = Debian(tmp_path_factory.mktemp("debian") / "root", package, release)
    try:
        yield machine
    finally:
        machine.remove()


@pytest.fixture(scope="module")
def clean(machine):
    """The files before the package was ever in it."""
    return machine.files()


@pytest.fixture
def debian(machine, clean):
    """Without the package, also afterwards."""
    assert clean
    yield machine
    machine.dpkg("-P", "tidegauge")


@pytest.fixture(scope="module")
def older(tmp_path_factory, package):
    return package.older(tmp_path_factory.mktemp("older"))


def healthy(debian):
    debian.wait(lambda: debian.get("/-/healthy") == "tidegauge is healthy.\n", "it answers")


def test_installed_without_systemd(tmp_path, package, release):
    debian = Debian(tmp_path / "root", package, release, systemd=False)
    try:
        debian.install(package.file)
        assert debian.run("tidegauge", "--version").stdout == "tidegauge 0.1.0\n"
        assert debian.run("tidegauge", "config", "check").returncode == 0
        assert "tidegauge" in debian.run("getent", "passwd", "tidegauge").stdout
        debian.dpkg("-P", "tidegauge")
    finally:
        debian.remove()


def test_installed_it_runs_at_once_and_says_that_it_knows_nothing(debian, package):
    debian.install(package.file)
    assert debian.systemctl("is-enabled", UNIT) == "enabled"
    assert debian.systemctl("is-enabled", "tidegauge.socket", check=False) == "disabled"
    healthy(debian)
    assert debian.run("stat", "-c", "%U", f"/proc/{debian.daemon()}").stdout == "tidegauge\n"
    debian.wait(lambda: "/data/checkpoints" in debian.get("/"), "its page names the directory")


def test_an_upgrade_restarts_the_daemon_and_keeps_what_was_edited(debian, package, older):
    debian.install(older.file)
    healthy(debian)
    before = debian.daemon()
    edited = (debian.root / CONFIG).read_text().replace("/data/checkpoints", "/srv/checkpoints")
    (debian.root / CONFIG).write_text(edited)

    debian.install(package.file)

    healthy(debian)
    assert debian.daemon() not in ("", before)
    assert (debian.root / CONFIG).read_text() == edited
    assert "older" not in (debian.root / "etc/default/tidegauge").read_text()
    assert not (debian.root / "usr/share/doc/tidegauge/old_page.md").exists()


def test_an_upgrade_does_not_start_what_was_disabled(debian, package, older):
    debian.install(older.file)
    debian.systemctl("disable", "--now", UNIT)
    debian.install(package.file)
    assert debian.systemctl("is-enabled", UNIT, check=False) == "disabled"
    assert debian.daemon() == ""


def test_a_policy_against_starting_is_kept_to(debian, package):
    debian.write("/usr/sbin/policy-rc.d", "#!/bin/sh\nexit 101\n", 0o755)
    debian.install(package.file)
    (debian.root / "usr/sbin/policy-rc.d").unlink()
    assert debian.daemon() == ""


def test_removed_it_leaves_the_configuration_and_purged_only_the_user(debian, package, clean):
    debian.install(package.file)
    healthy(debian)
    assert debian.files() > clean

    debian.dpkg("-r", "tidegauge")
    assert debian.daemon() == ""
    left = debian.files() - clean
    assert f"/{CONFIG}" in left and "/etc/default/tidegauge" in left
    assert any(path.startswith("/var/lib/tidegauge/") for path in left)
    assert not [path for path in left if path.startswith("/usr/")]

    debian.dpkg("-P", "tidegauge")
    assert debian.files() ^ clean == set()
    assert not list((debian.root / "var/lib/systemd").rglob("*tidegauge*"))
    assert "/var/lib/tidegauge" in debian.run("getent", "passwd", "tidegauge").stdout
    assert "tidegauge" not in debian.run("dpkg", "-l").stdout
