"""Who may include what (docs/architecture.md).

CMake cannot keep these rules: a distribution puts the headers of all libraries into one folder that
every target sees.
"""

import posixpath

from source_tree import PRODUCTION, Include, Tree, main

# Every outside library, by the beginning of its include, and the only folders that may use it.
LIBRARIES = {
    "librdkafka/": ("daemon/kafka",),
    "curl/": ("daemon/alertmanager",),
    "boost/json": ("daemon/expose",),
    "boost/": ("daemon/http",),
    "openssl/": ("daemon/http",),
    "crypt.h": ("daemon/http",),
    "zlib.h": ("daemon/http",),
    "sqlite3.h": ("daemon/state",),
    "yaml-cpp/": ("config",),
    "spdlog/": ("daemon/log",),
    "CLI/": ("daemon/commands",),
    "simdjson.h": ("core/checkpoint", "core/sinklog"),
}
# A vocabulary like the standard library: free to use in any .cc and .h file.
EVERYWHERE = ("fmt/",)
OF_TESTS = ("gtest/", "gmock/", "benchmark/")

# The world is not core's business: no files, threads, processes or locks.
NOT_IN_CORE = {
    "barrier", "condition_variable", "csignal", "cstdio", "filesystem", "fstream", "future",
    "iostream", "latch", "mutex", "semaphore", "shared_mutex", "stop_token", "thread",
}
# Includes without a suffix are the standard library's; these are the operating system's.
OPERATING_SYSTEM = (
    "arpa/", "dirent.h", "fcntl.h", "grp.h", "malloc.h", "net/", "netdb.h", "netinet/", "poll.h",
    "pthread.h", "pwd.h", "sched.h", "signal.h", "sys/", "syslog.h", "time.h", "unistd.h",
)

# All that a detector may see.
SEEN_BY_DETECTORS = (
    "core/detectors/", "core/history/", "core/model.h", "core/settings.h",
    "core/topics/comparison.h", "core/topics/waiting.h",
)


def part(path: str) -> str:
    """The folder a file belongs to. A file directly in core/ or daemon/ is a part of its own: the
    nouns lie there below every folder, and the flow above them."""
    folder = posixpath.dirname(path)
    return posixpath.splitext(path)[0] if folder in ("core", "daemon") else folder


def layer(path: str) -> int:
    top = path.split("/")[0]
    return PRODUCTION.index(top) if top in PRODUCTION else len(PRODUCTION)


def library_of(target: str) -> str | None:
    return max((name for name in LIBRARIES if target.startswith(name)), key=len, default=None)


def is_of_one_file(tree: Tree, header: str) -> bool:
    """A part of that .cc file in all but place: it carries nothing further."""
    paths = tree.files(".h", ".cc", under=PRODUCTION)
    includers = [path for path in paths if any(i.target == header for i in tree.includes(path))]
    return len(includers) == 1 and includers[0].endswith(".cc")


def check_system_include(tree: Tree, path: str, target: str) -> str | None:
    folder = posixpath.dirname(path)
    if library := library_of(target):
        if folder not in LIBRARIES[library]:
            return f"<{target}> is for {' and '.join(LIBRARIES[library])} only"
        if path.endswith(".h") and not is_of_one_file(tree, path):
            return f"<{target}> in a header: its types stay in the .cc files of {folder}"
        return None
    if target.startswith(EVERYWHERE):
        return None
    if path.startswith("core/") and (
        target in NOT_IN_CORE or target.startswith(OPERATING_SYSTEM)
    ):
        return f"<{target}> in core, which is pure"
    if target.startswith(OF_TESTS):
        return f"<{target}> outside tests"
    if "." in target and not target.startswith(OPERATING_SYSTEM):
        return f"<{target}> is of no known library: name its one folder in include_rules.py"
    return None


def seen_through_report(tree: Tree) -> set[str]:
    """report.h and plan.h, and what they are made of."""
    seen: set[str] = set()
    waiting = ["core/report.h", "core/plan.h"]
    while waiting:
        path = waiting.pop()
        if path not in seen and tree.exists(path):
            seen.add(path)
            waiting += [i.target for i in tree.includes(path) if not i.is_system]
    return seen


def is_detector(path: str) -> bool:
    return path.startswith("core/detectors/") and path.endswith(".cc") and path != (
        "core/detectors/all.cc")


def check_own_include(tree: Tree, path: str, target: str) -> str | None:
    if not tree.exists(target) and not tree.exists(target + ".in"):
        return f'"{target}": includes are written from the root, and this is no file there'
    if layer(target) > layer(path):
        return f'"{target}": {path.split("/")[0]} does not know {target.split("/")[0]}'
    if is_detector(path):
        if target == "core/detectors/all.h" or not target.startswith(SEEN_BY_DETECTORS):
            return f'"{target}": a detector sees detector.h, the model, the comparison, the history'
    if path.startswith("daemon/expose/") and not target.startswith("daemon/expose/"):
        if target not in seen_through_report(tree):
            return f'"{target}": expose sees report.h and plan.h only'
    return None


def check_include(tree: Tree, path: str, include: Include) -> str | None:
    if include.is_system:
        return check_system_include(tree, path, include.target)
    return check_own_include(tree, path, include.target)


def cycles(tree: Tree, paths: list[str]) -> list[str]:
    """Each cycle between parts once, with a file that closes it."""
    edges: dict[str, dict[str, str]] = {}
    for path in paths:
        for include in tree.includes(path):
            if not include.is_system and part(include.target) != part(path):
                edges.setdefault(part(path), {}).setdefault(
                    part(include.target), f"{path}:{include.line}")
    found = []
    done: set[str] = set()

    def walk(node: str, trail: list[str]) -> None:
        if node in trail:
            ring = trail[trail.index(node):] + [node]
            found.append(f"{edges[trail[-1]][node]}: closes a cycle: {' -> '.join(ring)}")
        elif node not in done:
            for target in sorted(edges.get(node, {})):
                walk(target, trail + [node])
            done.add(node)

    for node in sorted(edges):
        walk(node, [])
    return found


def problems(tree: Tree) -> list[str]:
    paths = tree.files(".h", ".cc", under=PRODUCTION)
    found = []
    for path in paths:
        for include in tree.includes(path):
            if problem := check_include(tree, path, include):
                found.append(f"{path}:{include.line}: {problem}")
    return found + cycles(tree, paths)


if __name__ == "__main__":
    main(problems)
