"""Socket activation: the daemon serves on what systemd passes to it, and on nothing else."""

import fcntl
import os
import socket

import pytest
from scenes.door import Door
from servers.server import free_port

def activated(scene, *sockets, arguments=(), pid="$$", count=None):
    """A daemon that is given `sockets` as systemd does it: they are 3, 4, ..., and the variables name the
    process itself."""
    moves = " ".join(f"{3 + at}<&{sock.fileno()}" for at, sock in enumerate(sockets))
    script = (f"exec {moves}; " if moves else "") + (
        f'LISTEN_PID={pid} LISTEN_FDS={len(sockets) if count is None else count} exec "$@"')
    if not scene.config_file.exists():
        scene.configure()
    return scene.process(["bash", "-c", script, "bash", scene.binary,
                          f"--config.file={scene.config_file}", "--web.systemd-socket", *arguments],
                         pass_fds=[sock.fileno() for sock in sockets])


def high(sock):
    """Away from 3, 4, ..., where it is going to be."""
    moved = socket.socket(fileno=fcntl.fcntl(sock.fileno(), fcntl.F_DUPFD, 50))
    sock.close()
    return moved


def listening(host="127.0.0.1", family=socket.AF_INET):
    return high(socket.create_server((host, 0), family=family))


@pytest.fixture(autouse=True)
def query(scene):
    scene.healthy()


def test_several_sockets_are_served_and_told(scene):
    with listening() as first, listening("::1", socket.AF_INET6) as second:
        daemon = activated(scene, first, second)
        log = daemon.wait_log("listening", count=2)
        for sock, host in ((first, "127.0.0.1"), (second, "[::1]")):
            address = f"{host}:{sock.getsockname()[1]}"
            assert f"address={address} " in log
            daemon.serves_on(address)
        assert daemon.stop() == 0
        assert first.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN) == 1, "it stays systemd's"


def test_clients_that_came_before_the_daemon_are_served(scene):
    with listening() as sock, socket.create_connection(sock.getsockname(), timeout=20) as early:
        early.sendall(b"GET /-/healthy HTTP/1.1\r\nHost: x\r\n\r\n")
        activated(scene, sock)
        assert early.recv(100).startswith(b"HTTP/1.1 200 OK")


def test_tls_works_on_them_too(scene):
    door = Door(scene)
    door.write()
    with listening() as sock:
        door.daemon = activated(scene, sock, arguments=[f"--web.config.file={door.file}"])
        door.daemon.wait_log("listening")
        assert door.status() == 200


@pytest.mark.parametrize("case", ["none", "another process", "no number", "no socket"])
def test_it_says_clearly_when_there_are_none(scene, case):
    with listening() as sock:
        if case == "none":
            daemon = activated(scene, count=0)
        elif case == "another process":
            daemon = activated(scene, sock, pid=1)
        elif case == "no number":
            daemon = activated(scene, sock, count="many")
        else:
            with open("/dev/null", "rb") as null:
                daemon = activated(scene, null)
        assert daemon.process.wait(20) == 1
    wanted = "descriptor 3 from systemd is no listening TCP socket" if case == "no socket" else (
        "--web.systemd-socket: systemd passed no sockets")
    assert wanted in daemon.log()


def test_other_sockets_are_refused(scene, tmp_path):
    with socket.socket(socket.AF_UNIX) as path, listening() as tcp:
        path.bind(str(tmp_path / "s"))
        path.listen()
        with high(socket.socket(fileno=os.dup(path.fileno()))) as unix:
            daemon = activated(scene, tcp, unix)
            assert daemon.process.wait(20) == 1
    assert "descriptor 4 from systemd is no TCP socket" in daemon.log()
    with high(socket.socket()) as idle:
        daemon = activated(scene, idle)
        assert daemon.process.wait(20) == 1
    assert "descriptor 3 from systemd is no listening TCP socket" in daemon.log()


def test_it_is_that_or_an_address(scene):
    done = scene.run("--web.systemd-socket", "--web.listen-address=:0")
    assert done.returncode == 64
    assert "--web.listen-address excludes --web.systemd-socket" in done.stderr


def test_systemds_own_tool_starts_it_with_the_first_client(scene):
    scene.configure()
    port = free_port()
    daemon = scene.process(["systemd-socket-activate", f"--listen=127.0.0.1:{port}", scene.binary,
                            f"--config.file={scene.config_file}", "--web.systemd-socket"])
    daemon.wait_log("Listening on 127.0.0.1")
    daemon.serves_on(f"127.0.0.1:{port}")
    assert f"address=127.0.0.1:{port}" in daemon.wait_log("listening")
    assert daemon.stop() == 0
