"""The man page has each command and flag of --help, and no other."""

import os
import re
import subprocess

import pytest
from help_texts import all_commands, flags_in


@pytest.fixture(scope="module")
def commands(build):
    return all_commands(build / "daemon/tidegauge")


@pytest.fixture(scope="module")
def page(build):
    """What `man tidegauge` shows."""
    result = subprocess.run(
        ["man", "--warnings", "-E", "UTF-8", "-l", build / "tidegauge.1.gz"], check=True,
        capture_output=True, text=True, env={**os.environ, "MANWIDTH": "120", "LC_ALL": "C.UTF-8"})
    assert result.stderr == ""
    return result.stdout


def sections(page):
    """The text about each command, by its words; "" is the daemon."""
    found = {"": re.search(r"(?ms)^OPTIONS\n(.*?)^COMMANDS", page)[1]}
    below = re.search(r"(?ms)^COMMANDS\n(.*?)^EXIT STATUS", page)[1]
    for part in re.split(r"(?m)^   (?=tidegauge )", below)[1:]:
        title, _, text = part.partition("\n")
        found[title.removeprefix("tidegauge ")] = text
    return found


def test_each_command_has_a_section(page, commands):
    assert {"check", "plan", "gate drained", "config rules"} <= set(commands)
    assert set(sections(page)) == set(commands)


def test_each_flag_is_in_the_section_of_its_command(page, commands):
    for words, text in sections(page).items():
        assert set(re.findall(r"(?m)^ +(?:-\w,)?(--[\w.-]+)", text)) == flags_in(commands[words]), words


def test_it_does_not_say_who_built_it(page):
    assert re.search(r"--who TEXT(=| \[)\$USER", page)


def test_its_files_are_those_of_the_package(page):
    for path in ("/etc/tidegauge/tidegauge.yaml", "/etc/default/tidegauge", "/var/lib/tidegauge",
                 "/usr/share/doc/tidegauge"):
        assert path in page
