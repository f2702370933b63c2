"""The bill of materials in the package: valid, and what the program is really built from."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

VALIDATOR = Path(os.environ.get("TIDEGAUGE_CACHE", Path.home() / ".cache/tidegauge")) / "venv-sbom/bin/python"
VALIDATE = """
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
sys.exit(str(JsonStrictValidator(SchemaVersion.V1_5).validate_str(sys.stdin.read()) or "") or 0)
"""


@pytest.fixture(scope="module")
def bill(tree):
    return json.loads((tree / "usr/share/doc/tidegauge/tidegauge.cdx.json").read_text())


def complaint_about(bill):
    return subprocess.run([VALIDATOR, "-c", VALIDATE], input=json.dumps(bill), capture_output=True,
                          text=True, check=False).stderr


def linked(bill, how):
    """The names of what is linked so, with their versions."""
    return {part["name"]: part["version"] for part in bill["components"]
            if part["properties"][0] == {"name": "tidegauge:linked", "value": how}}


def test_it_is_cyclonedx(bill):
    assert complaint_about(bill) == ""
    assert "colour" in complaint_about({**bill, "colour": "blue"})


def test_it_is_of_this_version(bill):
    assert bill["metadata"]["component"]["version"] == "0.1.0"


def test_everything_that_the_package_depends_on_is_in_it(bill, package):
    libraries = [name for name in package.first_alternatives() if name.startswith(("lib", "zlib"))]
    assert len(libraries) > 8
    # libspdlog1.10-fmt9 is another name of libspdlog1.10.
    for library in libraries:
        assert any(library.startswith(name) for name in linked(bill, "shared")), library


def test_each_package_has_the_version_that_is_installed(bill):
    for name, version in (linked(bill, "shared") | linked(bill, "headers")).items():
        shown = subprocess.run(["dpkg-query", "-W", "-f", "${Version}\n", name], check=True,
                               capture_output=True, text=True).stdout
        assert version in shown.split()


def test_what_is_compiled_in_is_in_it(bill):
    headers = " ".join(linked(bill, "headers"))
    assert re.search(r"libboost[\d.]*-dev", headers)
    assert "libcli11-dev" in headers
    assert "gtest" not in headers


def test_librdkafka_is_in_it_with_what_it_contains(bill):
    assert re.fullmatch(r"2\.\d+\.\d+", linked(bill, "static")["librdkafka"])
    (librdkafka,) = (part for part in bill["components"] if part["name"] == "librdkafka")
    assert {"lz4", "snappy", "cjson"} <= {part["name"] for part in librdkafka["components"]}
    (patch,) = librdkafka["pedigree"]["patches"]
    assert "query_leaders_async" in patch["diff"]["text"]["content"]
