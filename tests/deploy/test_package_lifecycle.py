"""The package in a clean Debian: installed, upgraded over a running older version, removed, purged."""

import pytest
from debian_chroot import DebianChroot, codename

CONFIG = "etc/tidegauge/tidegauge.yaml"


@pytest.fixture(scope="module")
def tree(request, tmp_path_factory, package):
    """A clean Debian that has what the package depends on, and no more."""
    chroot = DebianChroot(tmp_path_factory.mktemp("debian") / "root", package.first_alternatives(),
                          request.config.getoption("--release") or codename())
    try:
        yield chroot
    finally:
        chroot.remove()


@pytest.fixture(scope="module")
def clean(tree):
    """The files of the tree before the package was ever in it."""
    tree.pretend_systemd()
    return tree.files()


@pytest.fixture
def debian(tree, clean):
    """The tree, made to look as if systemd ran there; afterwards without the package."""
    assert clean
    tree.pretend_systemd()
    yield tree
    tree.dpkg("-P", "tidegauge")


@pytest.fixture(scope="module")
def older(tmp_path_factory, package):
    return package.older(tmp_path_factory.mktemp("older"))


def test_installed_without_systemd(debian, package):
    debian.run("rmdir", "/run/systemd/system")
    debian.install(package.file)
    assert debian.run("tidegauge", "--version").stdout == "tidegauge 0.1.0\n"
    assert debian.run("tidegauge", "config", "check").returncode == 0
    assert "tidegauge" in debian.run("getent", "passwd", "tidegauge").stdout


def test_installed_it_runs_at_once_and_says_that_it_knows_nothing(debian, package):
    debian.install(package.file)
    assert debian.systemctl("is-enabled", "tidegauge.service") == "enabled"
    assert debian.systemctl("is-enabled", "tidegauge.socket", check=False) == "disabled"
    assert debian.page("/-/healthy") == "tidegauge is healthy.\n"
    assert debian.run("stat", "-c", "%U", f"/proc/{debian.daemon()}").stdout == "tidegauge\n"
    debian.page("/", wanted="/data/checkpoints")


def test_an_upgrade_restarts_the_daemon_and_keeps_what_was_edited(debian, package, older):
    debian.install(older.file)
    debian.page("/-/healthy")
    before = debian.daemon()
    edited = (debian.root / CONFIG).read_text().replace("/data/checkpoints", "/srv/checkpoints")
    (debian.root / CONFIG).write_text(edited)
    debian.asked_of_systemctl()

    debian.install(package.file)

    assert "restart tidegauge.service" in debian.asked_of_systemctl()
    assert debian.daemon() not in ("", before)
    assert (debian.root / CONFIG).read_text() == edited
    assert "older" not in (debian.root / "etc/default/tidegauge").read_text()
    assert not (debian.root / "usr/share/doc/tidegauge/old_page.md").exists()


def test_an_upgrade_does_not_start_what_was_disabled(debian, package, older):
    debian.install(older.file)
    debian.systemctl("stop", "tidegauge.service")
    (debian.root / "etc/systemd/system/multi-user.target.wants/tidegauge.service").unlink()
    debian.install(package.file)
    assert debian.systemctl("is-enabled", "tidegauge.service", check=False) == "disabled"
    assert debian.daemon() == ""


def test_a_policy_against_starting_is_kept_to(debian, package):
    policy = debian.root / "usr/sbin/policy-rc.d"
    policy.write_text("#!/bin/sh\nexit 101\n")
    policy.chmod(0o755)
    debian.install(package.file)
    policy.unlink()
    assert debian.daemon() == ""


def test_removed_it_leaves_the_configuration_and_purged_only_the_user(debian, package, clean):
    debian.install(package.file)
    debian.page("/-/healthy")
    assert debian.files() > clean

    debian.dpkg("-r", "tidegauge")
    assert debian.daemon() == ""
    left = debian.files() - clean
    assert f"/{CONFIG}" in left and "/etc/default/tidegauge" in left
    assert any(path.startswith("/var/lib/tidegauge/") for path in left)
    assert not [path for path in left if path.startswith("/usr/")]

    debian.dpkg("-P", "tidegauge")
    assert debian.files() ^ clean == set()
    assert "/var/lib/tidegauge" in debian.run("getent", "passwd", "tidegauge").stdout
    assert "tidegauge" not in debian.run("dpkg", "-l").stdout
