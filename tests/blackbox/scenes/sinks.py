"""Queries that write files, and the logs of their sinks."""

import json

from scenes.scene import now_ms, offsets_text


def entry(number, directory="/out"):
    """The line of a log that lists data file `number`."""
    return json.dumps({"path": f"file://{directory}/part-{number}", "size": 6, "isDir": False,
                       "modificationTime": 1, "blockReplication": 1, "blockSize": 1, "action": "add"})


def sink(scene, name, newest, *without, log=None, interval=10, directory="/out"):
    """The log of a file sink that has written batches 0 to `newest`, but for the files `without`."""
    log = log or scene.directory / "out" / name / "_spark_metadata"
    log.mkdir(parents=True)
    for batch in range(newest + 1):
        compacts = (batch + 1) % interval == 0
        file = f"{batch}.compact" if compacts else f"{batch}"
        first = 0 if compacts else batch
        if file not in without:
            listed = (entry(number, directory) for number in range(first, batch + 1))
            (log / file).write_text("v1\n" + "\n".join(listed))
    return log


def query_with_sink(scene, name, newest, *without, every_ms=0, directory="/out", **settings):
    """Its batches were planned `every_ms`, the newest of them a minute ago."""
    planned = (now_ms() - 60_000 - every_ms * (newest - batch) for batch in range(newest + 1))
    batches = [offsets_text({"t": {"0": 1}}, planned_at) for planned_at in planned]
    scene.checkpoint(name, *batches, watched=False)
    scene.queries.append({"name": name, "checkpoint": str(scene.directory / "checkpoints" / name),
                          "sink": str(scene.directory / "out" / name), **settings})
    return sink(scene, name, newest, *without, interval=settings.get("compact_interval", 10),
                directory=directory)
