"""The program that ships defends itself: cmake/hardening.cmake, seen in the binary."""

import json
import platform
import re
from pathlib import Path

from debian import output_of


def test_it_is_loaded_anywhere(binary):
    assert re.search(r"Type:\s+DYN", output_of("readelf", "-h", binary))
    assert re.search(r"FLAGS_1.*\bPIE\b", output_of("readelf", "-dW", binary))


def test_nothing_is_both_writable_and_executable(binary):
    segments = output_of("readelf", "-lW", binary)
    assert re.search(r"GNU_STACK .* RW +0x", segments)
    assert " RWE " not in segments


def test_what_the_loader_fills_in_is_read_only_then(binary):
    assert "GNU_RELRO" in output_of("readelf", "-lW", binary)
    assert re.search(r"\bNOW\b", output_of("readelf", "-dW", binary))


def test_smashed_stacks_and_overrun_buffers_end_it(binary):
    imported = output_of("nm", "-D", "--undefined-only", binary)
    assert "__stack_chk_fail" in imported
    assert "__memcpy_chk" in imported


def test_jumps_land_where_they_may(binary):
    # Debian's start-up objects have no such mark, so the linker does not set the property.
    text = output_of("objdump", "-d", "--section=.text", "--no-show-raw-insn", binary)
    landing = {"x86_64": "endbr64", "aarch64": "bti"}[platform.machine()]
    assert text.count(landing) > 5000


def test_every_file_is_compiled_so(build):
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if "/tests/" not in entry["file"]:
            for flag in ("-fstack-clash-protection", "-fstack-protector-strong",
                         "-D_FORTIFY_SOURCE=3"):
                assert flag in entry["command"], f"{entry['file']} without {flag}"


def test_librdkafka_is_compiled_so(build):
    cache = (build / "CMakeCache.txt").read_text()
    prefix = Path(re.search(r"(?m)^RdKafka_DIR:PATH=(.*)", cache)[1]).parents[2]
    symbols = output_of("nm", prefix / "lib/librdkafka.a")
    assert "__stack_chk_fail" in symbols
    assert "__memcpy_chk" in symbols
