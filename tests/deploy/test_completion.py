"""Completion, typed into a real bash that found it by itself."""

import os
import pty
import shutil
import subprocess
from pathlib import Path

import pytest
from help_texts import all_commands, commands_in, flags_in

ROOT = Path(__file__).resolve().parents[2]
INSERT_ALL = "\x1b*"
START_OF_LINE = "\x01"


class Bash:
    """An interactive bash with Debian's bash-completion."""

    def __init__(self, home: Path, binary: Path) -> None:
        self._terminal, other = pty.openpty()
        environment = {"HOME": str(home), "TERM": "dumb", "PS1": "> ", "INPUTRC": "/dev/null",
                       "BASH_COMPLETION_USER_DIR": str(home),
                       "PATH": f"{binary.parent}:/usr/bin:/bin"}
        self._bash = subprocess.Popen(["bash", "--norc", "-i"], stdin=other, stdout=other,
                                      stderr=other, cwd=home, env=environment,
                                      start_new_session=True)
        os.close(other)
        self.type(". /usr/share/bash-completion/bash_completion; echo re''ady\n", until="ready\r\n")

    def type(self, text: str, until: str) -> str:
        os.write(self._terminal, text.encode())
        seen = ""
        while until not in seen:
            seen += os.read(self._terminal, 65536).decode(errors="replace")
        return seen

    def completions(self, typed: str) -> set[str]:
        """The words that the shell puts in the place of the last one of `typed`."""
        line = f"{typed}{INSERT_ALL}{START_OF_LINE}printf '<%s>\\n' \n echo do''ne\n"
        seen = self.type(line, until="done\r\n")
        words = [word[1:-1] for word in seen.split("\r\n") if word.startswith("<")]
        return set(words[len(typed.split(" ")) - 1:])

    def end(self) -> None:
        os.close(self._terminal)
        self._bash.wait(timeout=10)


@pytest.fixture(scope="module")
def bash(tmp_path_factory, binary):
    home = tmp_path_factory.mktemp("home")
    (home / "completions").mkdir()
    shutil.copy(ROOT / "deploy/completion/tidegauge.bash", home / "completions/tidegauge")
    (home / "some.yaml").touch()
    (home / "directory").mkdir()
    shell = Bash(home, binary)
    yield shell
    shell.end()


def test_each_command_and_flag_is_offered(bash, binary):
    commands = all_commands(binary)
    assert len(commands) > 10
    for words, text in commands.items():
        typed = f"tidegauge {words} ".replace("  ", " ")
        assert bash.completions(typed + "--") == flags_in(text), words
        if commands_in(text):
            assert bash.completions(typed) == set(commands_in(text)), words


@pytest.mark.parametrize(("typed", "offered"), [
    ("tidegauge --log.level=", {"--log.level=debug", "info", "warn", "error"}),
    ("tidegauge --log.level w", {"warn"}),
    ("tidegauge check --format=j", {"--format=json"}),
    ("tidegauge check --config.file=so", {"--config.file=some.yaml"}),
    ("tidegauge --state.dir d", {"directory"}),
    ("tidegauge plan --output=d", {"--output=directory"}),
    ("tidegauge ga", {"gate"}),
    ("tidegauge --config.file check --", None),
])
def test_values_are_offered(bash, binary, typed, offered):
    daemon = flags_in(all_commands(binary)[""])
    assert bash.completions(typed) == (offered or daemon)
