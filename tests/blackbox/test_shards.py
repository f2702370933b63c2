"""Several daemons share the queries of one configuration."""

import json
import shutil

import pytest
from scenes.scene import topic

JOBS = [f"job-{number}" for number in range(12)]


@pytest.fixture
def jobs(scene):
    """Queries under one pattern, all healthy."""
    scene.kafka({"t": topic(10)})
    for job in JOBS:
        scene.checkpoint(job, {"t": {"0": 5}}, watched=False)
    scene.queries = [{"name": "{job}", "checkpoint": f"{scene.directory}/checkpoints/{{job}}"}]
    scene.configure()
    return scene


def shard(index, count):
    return f"--shard.index={index}", f"--shard.count={count}"


def watched(report):
    return {query["query"] for query in report["queries"]}


def check(scene, index, count, state):
    """The exit status, the queries and the findings of one poll that remembers in `state`."""
    status, report = scene.check(*shard(index, count), f"--state.dir={state}")
    return status, watched(report), [(f["kind"], f["query"]) for f in report["findings"]]


def test_each_query_is_watched_by_one_of_them(jobs):
    shares = [watched(jobs.check(*shard(index, 3))[1]) for index in range(3)]
    assert sorted(job for share in shares for job in share) == sorted(JOBS)
    assert all(share for share in shares)


def test_who_asks_the_wrong_shard_is_told_the_right_one(jobs):
    mine, other = (min(watched(jobs.check(*shard(index, 2))[1])) for index in range(2))
    assert watched(jobs.check(*shard(0, 2), f"--query={mine}")[1]) == {mine}
    done = jobs.run("check", f"--config.file={jobs.config_file}", f"--query={other}", *shard(0, 2))
    assert done.returncode == 3 and "belongs to shard 1 of 2" in done.stderr
    done = jobs.run("check", f"--config.file={jobs.config_file}", "--query=nothing", *shard(1, 2))
    assert done.returncode == 3 and "nothing" in done.stderr


def test_what_other_shards_have_is_nobody_else_s_trouble(jobs):
    first, second = (watched(jobs.check(*shard(index, 2))[1]) for index in range(2))
    for job in first:
        jobs.batch(jobs.directory / "checkpoints" / job, 0, "torn")
    assert jobs.check(*shard(0, 2))[0] == 2
    status, report = jobs.check(*shard(1, 2))
    assert (status, watched(report), report["unknown"]) == (0, second, [])


def test_a_query_that_moves_to_another_shard_is_not_missed(jobs):
    states = [jobs.directory / f"state.{index}" for index in range(2)]
    assert check(jobs, 0, 1, states[0]) == (0, set(JOBS), [])
    # A second one takes its share; the first remembers all of them.
    kept, moved = (check(jobs, index, 2, states[index])[1] for index in range(2))
    assert kept and moved and kept | moved == set(JOBS)
    for index, share in enumerate((kept, moved)):
        assert check(jobs, index, 2, states[index]) == (0, share, [])
    gone = min(moved)
    shutil.rmtree(jobs.directory / "checkpoints" / gone)
    assert check(jobs, 0, 2, states[0]) == (0, kept, [])
    assert check(jobs, 1, 2, states[1]) == (2, moved, [("checkpoint_missing", gone)])
    # Back again: what moved is as it was left.
    assert check(jobs, 0, 1, states[0]) == (2, set(JOBS), [("checkpoint_missing", gone)])


def test_a_copy_of_the_only_daemon_s_memory_serves_each_shard(jobs):
    only = jobs.directory / "only"
    check(jobs, 0, 1, only)
    for job in JOBS:  # found by what is remembered alone: the id in the checkpoint is another one
        (jobs.directory / "checkpoints" / job / "metadata").write_text(
            '{"id":"99999999-2222-3333-4444-555555555555"}')
    for index in range(2):
        state = jobs.directory / f"copy.{index}"
        shutil.copytree(only, state)
        status, share, findings = check(jobs, index, 2, state)
        assert (status, findings) == (2, [("query_id_changed", job) for job in sorted(share)])


def test_a_finding_goes_with_its_query(jobs):
    state = jobs.directory / "state"
    moved = min(watched(jobs.check(*shard(1, 2))[1]))
    jobs.batch(jobs.directory / "checkpoints" / moved, 0, {"t": {"0": 50}})
    jobs.kafka({"t": topic(10)})
    assert check(jobs, 0, 1, state)[2] == [("end_below_checkpoint", moved)]
    assert check(jobs, 0, 2, state)[2] == []
    history = jobs.run("history", f"--config.file={jobs.config_file}", f"--state.dir={state}", moved,
                       "--format=json")
    assert [event["event"] for event in json.loads(history.stdout)["history"]] == ["resolved", "firing"]
    assert check(jobs, 1, 2, jobs.directory / "other")[2] == [("end_below_checkpoint", moved)]


def test_a_daemon_says_which_of_them_it_is_also_after_a_reload(jobs):
    daemon = jobs.daemon(*shard(1, 2), "--web.enable-lifecycle")
    series = 'tidegauge_shards{shard="1"}'
    mine = watched(daemon.report())
    assert daemon.metric(series) == 2 and mine < set(JOBS)
    assert daemon.get("/-/reload", "POST")[0] == 200
    daemon.wait_polls()
    assert daemon.metric(series) == 2 and watched(daemon.report()) == mine
    assert daemon.stop() == 0


def test_a_daemon_that_shares_with_nobody_says_nothing_of_it(jobs):
    daemon = jobs.daemon()
    assert "tidegauge_shards" not in daemon.metrics()
    assert watched(daemon.report()) == set(JOBS)
