"""What `plan` writes and what it leaves alone."""

import json
import subprocess

from scenes.scene import topic

OK, FAILURE, UNKNOWN, USAGE = 0, 1, 3, 64


def tree(path):
    return {str(f.relative_to(path)): f.read_bytes() for f in path.rglob("*") if f.is_file()}


def plan(scene, *arguments):
    scene.configure()
    return scene.run("plan", *arguments, f"--config.file={scene.config_file}")


def test_it_writes_its_files_where_told_and_nothing_anywhere_else(scene):
    checkpoint = scene.recreated("orders")
    before = tree(checkpoint)
    done = plan(scene, "orders", f"--output={scene.directory}/plan")
    assert (done.returncode, done.stderr) == (OK, "")
    assert tree(checkpoint) == before
    assert not scene.state.exists()
    assert json.loads((scene.directory / "plan/offsets/0").read_text().splitlines()[2]) == {
        "t": {"0": 0}}
    assert f"export PLAN={scene.directory}/plan" in done.stdout


def test_without_a_directory_nothing_is_written(scene):
    scene.recreated("orders")
    scene.configure()
    before = tree(scene.directory)
    done = plan(scene, "orders")
    assert done.returncode == OK
    assert tree(scene.directory) == before
    assert f"tidegauge plan orders --config.file={scene.config_file} --output=" in done.stdout


def test_a_directory_that_is_there_is_left_alone(scene):
    scene.recreated("orders")
    done = plan(scene, "orders", f"--output={scene.directory}")
    assert (done.returncode, done.stdout) == (FAILURE, "")
    assert "exists already" in done.stderr


def test_commands_for_hdfs_are_not_printed_for_what_is_not_there(scene):
    scene.recreated("orders")
    done = plan(scene, "orders", "--hdfs.mount=/mnt/hdfs")
    assert (done.returncode, done.stdout) == (USAGE, "")
    assert "is below it" in done.stderr
    done = plan(scene, "orders", f"--hdfs.mount={scene.directory}")
    assert done.returncode == OK
    assert "hdfs dfs -put -f - " in done.stdout


def test_where_nothing_is_found_there_is_nothing_to_do(scene):
    scene.healthy("q")
    done = plan(scene, "q", "--format=json")
    assert done.returncode == OK
    assert json.loads(done.stdout) == {"query": "q", "unknown": [], "files": [], "directory": None,
                                       "set_up": [], "findings": []}


def test_a_script_learns_where_the_files_are(scene):
    scene.recreated("orders")
    before = json.loads(plan(scene, "orders", "--format=json").stdout)
    assert before["directory"] is None
    directory = f"{scene.directory}/plan with a blank"
    set_plan, get_files = before["set_up"]
    shell = (set_plan.replace("/var/tmp/tidegauge-plan", f"'{directory}'") + "\n" +
             get_files.replace("tidegauge", str(scene.binary), 1) + '\nls "$PLAN/offsets"')
    done = subprocess.run(["sh", "-ec", shell], capture_output=True, text=True, timeout=30)
    assert done.stdout.endswith("\n0\n"), done.stderr
    other = f"{scene.directory}/other"
    written = json.loads(plan(scene, "orders", "--format=json", f"--output={other}").stdout)
    assert (written["directory"], written["set_up"]) == (other, [f"export PLAN={other}"])
    assert [f"{other}/{name}" for name in written["files"]] == [f"{other}/offsets/0"]


def test_what_could_not_be_judged_is_told(scene):
    scene.checkpoint("torn", "v1\n{")
    scene.kafka({"t": topic(5)})
    done = plan(scene, "torn")
    assert done.returncode == UNKNOWN
    assert "UNKNOWN" in done.stdout


def test_a_query_that_is_not_there(scene):
    scene.healthy()
    done = plan(scene, "nobody")
    assert (done.returncode, done.stdout) == (FAILURE, "")
    assert "nobody" in done.stderr
    assert plan(scene).returncode == USAGE
