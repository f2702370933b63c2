"""What the program is built from, as CycloneDX: bill_of_materials.py BUILD_DIRECTORY LIBRDKAFKA VERSION

Asks the binary for its shared libraries, ninja for every header that was compiled in, and dpkg which
packages they are of. LIBRDKAFKA is where deploy/install-deps has put that.
"""

import json
import re
import subprocess
import sys
import uuid
from collections.abc import Iterable
from pathlib import Path


def said_by(*command: str | Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def shared_libraries(binary: Path) -> set[str]:
    """Every one that is loaded with it, also those that libraries need."""
    return set(re.findall(r"=> (/\S+)", said_by("ldd", binary)))


def compiled_headers(build: Path) -> set[str]:
    """Of the system, in what is not a test."""
    headers: set[str] = set()
    for block in said_by("ninja", "-C", build, "-t", "deps").split("\n\n"):
        first, *dependencies = block.splitlines() or [""]
        if not first.startswith("tests/"):
            headers |= {str(Path(line.strip()).resolve()) for line in dependencies
                        if line.strip().startswith("/usr/")}
    return headers


def packages_of(files: Iterable[str]) -> set[str]:
    """The packages that have `files`, whether dpkg knows them below / or below /usr."""
    names: set[str] = set()
    for file in files:
        names |= {str(Path(file).resolve()), file.removeprefix("/usr"),
                  str(Path(file).resolve()).removeprefix("/usr")}
    result = subprocess.run(["dpkg-query", "-S", *sorted(names)], capture_output=True, text=True,
                            check=False)
    return {package for line in result.stdout.splitlines() if not line.startswith("diversion")
            for package in line.rpartition(": ")[0].split(", ")}


def properties(**values: str) -> list[dict]:
    return [{"name": f"tidegauge:{name}", "value": value} for name, value in values.items()]


def debian_component(package: str, how: str) -> dict:
    shown = said_by("dpkg-query", "-W", "-f", "${Package} ${Version} ${Architecture} ${source:Package}",
                    package)
    name, version, architecture, source = shown.split()
    purl = f"pkg:deb/debian/{name}@{version.replace('+', '%2B').replace(':', '%3A')}?arch={architecture}"
    return {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl,
            "properties": properties(linked=how, source=source)}


def librdkafka_component(prefix: Path) -> dict:
    """It and what it has taken in from others, which its list of licences names."""
    version = (prefix / ".done").read_text().strip()
    licences = (prefix / "share/licenses/librdkafka/LICENSES.txt").read_text()
    purl = f"pkg:github/confluentinc/librdkafka@v{version}"
    inside = [{"type": "library", "bom-ref": f"librdkafka/{name}", "name": name,
               "properties": properties(linked="static, inside librdkafka")}
              for name in re.findall(r"(?m)^LICENSE\.(\w+)$", licences)]
    return {"type": "library", "bom-ref": purl, "name": "librdkafka", "version": version, "purl": purl,
            "licenses": [{"license": {"id": "BSD-2-Clause"}}],
            "pedigree": {"patches": [{"type": "unofficial", "diff": {"text": {"content": patch.read_text()}}}
                                     for patch in sorted(prefix.glob("patches/*.patch"))]},
            "properties": properties(linked="static"), "components": inside}


def bill_of_materials(build: Path, librdkafka: Path, version: str) -> dict:
    shared = packages_of(shared_libraries(build / "daemon/tidegauge"))
    headers = packages_of(compiled_headers(build)) - shared
    program = {"type": "application", "bom-ref": "tidegauge", "name": "tidegauge", "version": version,
               "licenses": [{"license": {"id": "Apache-2.0"}}]}
    components = [librdkafka_component(librdkafka),
                  *(debian_component(package, "shared") for package in sorted(shared)),
                  *(debian_component(package, "headers") for package in sorted(headers))]
    everything = [component["bom-ref"] for component in components]
    bill = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
            "metadata": {"component": program}, "components": components,
            "dependencies": [{"ref": "tidegauge", "dependsOn": everything}]}
    bill["serialNumber"] = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(bill)).urn
    return bill


if __name__ == "__main__":
    print(json.dumps(bill_of_materials(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]), indent=2))
