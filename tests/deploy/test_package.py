"""What is in the package, and what lintian says of it."""

import gzip
import re
import subprocess


def lintian_of(package):
    """What lintian calls an error or a warning."""
    result = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", package.file],
                            capture_output=True, text=True, check=False)
    assert (result.returncode == 0) == (result.stdout == ""), result.stderr
    return result.stdout


def test_lintian_has_no_complaint(package):
    assert lintian_of(package) == ""


def test_lintian_misses_what_is_not_there(package, tmp_path):
    broken = package.without("usr/share/doc/tidegauge/copyright", tmp_path)
    assert "no-copyright-file" in lintian_of(broken)


def test_every_file_of_the_layout_is_there(tree):
    for path in ("usr/bin/tidegauge", "usr/lib/systemd/system/tidegauge.service",
                 "usr/lib/systemd/system/tidegauge.socket", "usr/lib/sysusers.d/tidegauge.conf",
                 "etc/default/tidegauge", "etc/tidegauge/tidegauge.yaml",
                 "usr/share/man/man1/tidegauge.1.gz",
                 "usr/share/bash-completion/completions/tidegauge",
                 "usr/share/doc/tidegauge/changelog.Debian.gz", "usr/share/doc/tidegauge/copyright",
                 "usr/share/doc/tidegauge/examples/prometheus/tidegauge.rules.yml",
                 "usr/share/doc/tidegauge/examples/grafana/tidegauge.json",
                 "usr/share/doc/tidegauge/examples/alertmanager/alertmanager.yml",
                 "usr/share/doc/tidegauge/install.md", "usr/share/doc/tidegauge/security.md",
                 "usr/share/doc/tidegauge/examples/systemd/credentials.conf"):
        assert (tree / path).is_file(), path


def test_all_of_etc_is_conffiles(tree):
    files = {f"/{path.relative_to(tree)}" for path in (tree / "etc").rglob("*") if path.is_file()}
    assert files == set((tree / "DEBIAN/conffiles").read_text().split())


def test_each_runbook_url_leads_to_a_page(tree):
    rules = (tree / "usr/share/doc/tidegauge/examples/prometheus/tidegauge.rules.yml").read_text()
    pages = set(re.findall(r"/(usr/share/doc/tidegauge/[\w/.-]+\.md)", rules))
    assert pages
    assert [page for page in pages if not (tree / page).is_file()] == []


def test_librdkafka_is_inside(package, tree):
    assert "librdkafka" not in package.field("Depends")
    needed = subprocess.run(["readelf", "-d", tree / "usr/bin/tidegauge"], check=True,
                            capture_output=True, text=True).stdout
    assert "NEEDED" in needed and "librdkafka" not in needed


def test_the_changelog_is_of_this_version(package, tree):
    with gzip.open(tree / "usr/share/doc/tidegauge/changelog.Debian.gz", "rt") as file:
        assert f"tidegauge ({package.field('Version')})" in file.readline()


def test_links_of_its_pages_lead_somewhere(tree):
    directory = tree / "usr/share/doc/tidegauge"
    links = [(page, link) for page in directory.rglob("*.md")
             for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())]
    assert len(links) > 50
    for page, link in links:
        target = tree / link.lstrip("/") if link.startswith("/") else page.parent / link
        assert target.exists(), f"{page.relative_to(directory)}: {link}"
