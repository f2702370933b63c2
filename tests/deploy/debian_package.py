"""A .deb, and what can be made of it."""

import re
import shutil
import subprocess
from pathlib import Path


class DebianPackage:
    """A .deb file."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def field(self, name: str) -> str:
        return subprocess.run(["dpkg-deb", "-f", self.file, name], check=True, capture_output=True,
                              text=True).stdout.strip()

    def first_alternatives(self) -> list[str]:
        """The packages that it depends on, the first of alternatives."""
        return [re.match(r"[a-z0-9.+-]+", part.strip())[0]
                for part in self.field("Depends").split(",")]

    def unpacked(self, directory: Path) -> Path:
        subprocess.run(["dpkg-deb", "-R", self.file, directory], check=True)
        return directory

    def without(self, path: str, directory: Path) -> "DebianPackage":
        """The same, but for one file."""
        tree = self.unpacked(directory / "less")
        (tree / path).unlink()
        return self._packed(tree, directory / "tidegauge_less.deb")

    def older(self, directory: Path) -> "DebianPackage":
        """An earlier version: other conffiles, and a page that is no longer there."""
        tree = self.unpacked(directory / "older")
        control = tree / "DEBIAN/control"
        control.write_text(re.sub(r"(?m)^Version: .*", "Version: 0.0.9-1", control.read_text()))
        for conffile in ("etc/tidegauge/tidegauge.yaml", "etc/default/tidegauge"):
            with (tree / conffile).open("a") as file:
                file.write("# Of the older version.\n")
        (tree / "usr/share/doc/tidegauge/old_page.md").write_text("Gone in the next version.\n")
        return self._packed(tree, directory / "tidegauge_older.deb")

    def newer(self, directory: Path) -> "DebianPackage":
        """A later version."""
        tree = self.unpacked(directory / "newer")
        control = tree / "DEBIAN/control"
        control.write_text(re.sub(r"(?m)^Version: .*", "Version: 0.2.0-1", control.read_text()))
        return self._packed(tree, directory / "tidegauge_newer.deb")

    @staticmethod
    def _packed(tree: Path, file: Path) -> "DebianPackage":
        subprocess.run(["dpkg-deb", "--root-owner-group", "-b", tree, file], check=True,
                       capture_output=True)
        shutil.rmtree(tree)
        return DebianPackage(file)
