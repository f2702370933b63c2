"""What is typed, and what the exit status says."""

import re
import subprocess

import pytest
from scenes.scene import KINDS, topic

OK, FAILURE, USAGE, CONFIG = 0, 1, 64, 78
WARNING, CRITICAL, UNKNOWN = 1, 2, 3


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["check", "--help"],
                                       ["record", "--help"], ["ack", "--help"],
                                       ["history", "--help"],
                                       ["config", "--help"], ["demo", "--help"],
                                       ["gate", "--help"], ["gate", "rebased", "--help"]], ids=" ".join)
def test_questions_about_the_program_are_answered_on_standard_output(scene, arguments):
    done = scene.run(*arguments)
    assert (done.returncode, done.stderr) == (OK, "")
    assert done.stdout
    if arguments == ["--version"]:
        assert re.fullmatch(r"tidegauge \d+\.\d+\.\d+\n", done.stdout)
    else:
        assert "--help" in done.stdout


@pytest.mark.parametrize("arguments, named", [
    (["bogus"], "bogus"),
    (["--bogus"], "--bogus"),
    (["check", "--bogus"], "--bogus"),
    (["check", "extra"], "extra"),
    (["check", "--format=xml"], "xml"),
    (["check", "record"], "record"),
    (["--log.level=loud"], "loud"),
    (["--log.format=xml"], "xml"),
    (["--config.file"], "--config.file"),
    (["--config.file="], "--config.file"),
    (["check", "--config.file="], "--config.file"),
    (["--state.dir=", "--log.level=info"], "--state.dir"),
    (["--web.listen-address=nowhere"], "nowhere"),
    (["--web.listen-address=:99999"], "99999"),
    (["--web.listen-address=", "check"], "--web.listen-address"),
    (["demo", "--web.listen-address=nowhere"], "nowhere"),
    (["config"], "subcommand"),
    (["config", "bogus"], "subcommand"),
    (["record"], "--output"),
    (["ack"], "kind"),
    (["ack", "records_skipped", "q"], "--why"),
    (["ack", "topic_recreated", "q", "--why=x"], "topic_recreated"),
    (["history"], "query"),
    (["gate"], "subcommand"),
    (["gate", "drained"], "topic"),
    (["gate", "drained", "t", "--timeout=soon"], "--timeout"),
    (["--web.enable-lifecycle", "check"], "--web.enable-lifecycle"),
    (["--web.listen-address=:0", "check"], "--web.listen-address"),
    (["--shard.index=0"], "--shard.count"),
    (["--shard.count=2"], "--shard.index"),
    (["--shard.index=2", "--shard.count=2"], "from 0 to 1"),
    (["--shard.index=-1", "--shard.count=2"], "from 0 to 1"),
    (["--shard.index=0", "--shard.count=0"], "1 at least"),
    (["--shard.index=0", "--shard.count=10001"], "10000 at most"),
    (["--shard.index=$(POD_INDEX)", "--shard.count=2"], "$(POD_INDEX)"),
    (["--shard.index=0", "--shard.count=2", "plan", "q"], "--shard.index"),
    (["check", "--shard.index=2", "--shard.count=2"], "from 0 to 1"),
], ids=lambda part: " ".join(part) if isinstance(part, list) else "")
def test_bad_usage_is_told_with_what_is_wrong_and_ends_with_64(scene, arguments, named):
    done = scene.run(*arguments)
    assert done.returncode == USAGE, done.stderr
    assert named in done.stderr
    assert done.stdout == ""


def test_an_option_before_the_command_is_not_lost(scene):
    scene.healthy()
    scene.configure()
    done = scene.run(f"--state.dir={scene.state}", f"--config.file={scene.config_file}", "check")
    assert done.returncode == OK
    assert (scene.state / "tidegauge.db").exists()


def test_check_ends_with_0_when_nothing_is_found(scene):
    scene.healthy()
    status, report = scene.check()
    assert (status, report["findings"], report["unknown"]) == (OK, [], [])
    assert [query["state"] for query in report["queries"]] == ["ok"]


def test_check_ends_with_1_on_warnings_alone(scene):
    scene.checkpoint("q", {"t": {"0": 5, "1": 5}}, {"t": {"0": 6}})
    scene.kafka({"t": topic(10)})
    status, report = scene.check()
    assert status == WARNING, report
    assert {finding["severity"] for finding in report["findings"]} == {"warning"}


def test_check_ends_with_2_when_anything_is_critical_also_beside_something_unknown(scene):
    scene.recreated()
    scene.unknown("empty")
    status, report = scene.check()
    assert status == CRITICAL
    assert [finding["kind"] for finding in report["findings"]] == ["topic_recreated"]
    assert [entry["query"] for entry in report["unknown"]] == ["empty"]


def test_check_ends_with_3_when_something_is_unknown_also_beside_a_warning(scene):
    scene.checkpoint("q", {"t": {"0": 5, "1": 5}}, {"t": {"0": 6}})
    scene.kafka({"t": topic(10)})
    scene.unknown("empty")
    status, report = scene.check()
    assert status == UNKNOWN
    assert report["findings"]


def test_check_of_one_query_says_nothing_of_the_others(scene):
    scene.recreated()
    scene.kafka({"t": topic(1000)})
    scene.checkpoint("torn", "v1\n{")
    status, report = scene.check("--query=recreated")
    assert (status, report["unknown"]) == (OK, [])
    assert [query["query"] for query in report["queries"]] == ["recreated"]
    done = scene.run("check", f"--config.file={scene.config_file}", "--query=nobody")
    assert done.returncode == UNKNOWN
    assert "nobody" in done.stderr


def test_check_without_a_state_directory_says_that_nothing_is_kept(scene):
    scene.healthy()
    scene.configure()
    done = scene.run("check", f"--config.file={scene.config_file}")
    assert "Nothing is kept" in done.stdout
    assert "did not reach the disk" not in done.stdout
    assert not scene.state.exists()


def test_the_json_of_check_has_the_documented_shape(scene):
    """Section 12: names and types."""
    scene.recreated("orders")
    scene.unknown("clicks")
    status, report = scene.check()
    assert status == CRITICAL
    assert list(report) == ["polled_at", "queries", "findings", "unknown"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", report["polled_at"])
    queries = {query["query"]: query for query in report["queries"]}
    assert queries["clicks"]["state"] == "unknown"
    expected = {"query": "orders", "state": "findings", "newest_batch": 0, "committed_batch": 0,
                "position": {"t": {"0": 500}}}
    assert {key: queries["orders"][key] for key in expected} == expected
    [finding] = report["findings"]
    expected = {"kind": "topic_recreated", "severity": "critical", "query": "orders",
                "kafka_cluster": "main", "topic": "t", "direction": "above",
                "evidence": ["log_append_time"], "confidence": "certain", "records": 500,
                "partitions": [{"partition": 0, "checkpoint": 500, "log_start": 0, "log_end": 800,
                                "records": 500}]}
    assert {key: finding[key] for key in expected} == expected
    assert isinstance(finding["summary"], str) and finding["summary"]
    [unknown] = report["unknown"]
    assert set(unknown) == {"query", "reason"} and unknown["query"] == "clicks"
    assert unknown["reason"]


@pytest.mark.parametrize("arguments", [["check"], ["check", "--format=json"], ["config", "print"],
                                       ["config", "reference"], ["config", "rules"],
                                       ["config", "check"], ["--help"], ["--version"]], ids=" ".join)
def test_results_that_nobody_could_read_are_no_success(scene, arguments):
    scene.healthy()
    scene.configure()
    if arguments[0] in ("check", "config") and arguments[-1] not in ("reference", "rules"):
        arguments = [*arguments, f"--config.file={scene.config_file}"]
    with open("/dev/full", "w") as full:
        done = scene.run(*arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == (UNKNOWN if arguments[0] == "check" else FAILURE)
    assert "standard output" in done.stderr


def test_the_rules_are_made_for_a_job_and_a_place_of_the_pages(scene):
    done = scene.run("config", "rules", "--prometheus.job=watch", "--runbook.base-url=http://wiki/t/")
    assert (done.returncode, done.stderr) == (OK, "")
    assert 'up{job="watch"} == 0' in done.stdout
    assert "http://wiki/t/detectors/topic_recreated.md" in done.stdout


def test_a_critical_finding_stays_one_when_it_cannot_be_printed(scene):
    scene.recreated()
    scene.configure()
    with open("/dev/full", "w") as full:
        done = scene.run("check", f"--config.file={scene.config_file}", capture_output=False,
                         stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == CRITICAL


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_standard_streams_may_be_closed(scene, closed):
    scene.healthy()
    scene.configure()
    command = f'exec "{scene.binary}" check --config.file="{scene.config_file}" {closed}'
    assert subprocess.run(["sh", "-c", command], timeout=30, capture_output=True).returncode == OK


def test_a_daemon_without_streams_serves_and_writes_its_log_into_nothing_else(scene):
    scene.healthy()
    port = scene.free_port()
    scene.configure(web={"listen_address": f"127.0.0.1:{port}"})
    daemon = scene.process(["sh", "-c", f'exec "{scene.binary}" '
                            f'--config.file="{scene.config_file}" <&- >&- 2>&-'])
    daemon.serves_on(f"127.0.0.1:{port}")
    daemon.wait_ready()
    daemon.wait_polls()
    assert daemon.metrics().startswith("# HELP")
    for descriptor in ("0", "1", "2"):
        assert daemon.opened(descriptor) == "/dev/null"
    assert daemon.stop() == OK
    done = scene.run("check", f"--config.file={scene.config_file}", f"--state.dir={scene.state}")
    assert done.returncode == OK, done.stderr


def test_a_reader_that_goes_away_ends_check_without_noise(scene):
    done = subprocess.run(["sh", "-c", f'"{scene.binary}" config reference | head -n 1'],
                          capture_output=True, timeout=30, text=True)
    assert (done.returncode, done.stderr) == (OK, "")


def test_the_reference_is_a_configuration_once_its_required_values_are_set(scene):
    reference = scene.run("config", "reference").stdout
    for kind in KINDS:
        assert f"{kind}:" in reference


def test_config_check_counts_what_it_read(scene):
    scene.healthy()
    scene.configure()
    done = scene.run("config", "check", f"--config.file={scene.config_file}")
    assert done.returncode == OK
    assert "1 cluster" in done.stdout and "1 query" in done.stdout


def test_what_config_print_prints_can_be_read_again(scene):
    scene.healthy("quote's \" # and: colon")
    scene.configure()
    printed = scene.run("config", "print", f"--config.file={scene.config_file}")
    assert printed.returncode == OK
    (scene.directory / "printed.yaml").write_text(printed.stdout)
    again = scene.run("config", "print", "--config.file=printed.yaml")
    assert again.returncode == OK, again.stderr
    assert again.stdout.replace("printed.yaml", "") == printed.stdout.replace("tidegauge.yaml", "")
