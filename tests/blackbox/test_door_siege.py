"""Who means ill, or does not know better, at the daemon's port: a scrape goes on, and stays quick."""

import base64
import contextlib
import os
import random
import socket
import ssl
import threading
import time

import pytest
from scenes.door import Door, bcrypt_hash, request
from servers.server import wait_until

SECRET = "correct horse"
OPEN = ("-u", f"prom:{SECRET}")
QUICK = 1.0  # seconds; idle it takes a few milliseconds
CLIENT_HELLO = bytes.fromhex("1603010200010001fc0303")  # and 505 bytes more would have to come


@pytest.fixture
def door(scene):
    scene.healthy()
    door = Door(scene)
    door.write(basic_auth_users={"prom": bcrypt_hash(SECRET, cost=10)})
    door.open()
    assert door.status(*OPEN) == 200
    return door


def scrape_is_quick(door, times=5):
    for _ in range(times):
        started = time.monotonic()
        assert door.status(*OPEN) == 200
        assert time.monotonic() - started < QUICK
    return True


def descriptors(door):
    return len(os.listdir(f"/proc/{door.daemon.pid}/fd"))


@contextlib.contextmanager
def two_hundred(connect):
    with contextlib.ExitStack() as held:
        yield [held.enter_context(connect()) for _ in range(200)]


def test_a_scrape_goes_on_beside_two_hundred_that_only_connect(door):
    with two_hundred(door.connect):
        assert scrape_is_quick(door)


def test_a_scrape_goes_on_beside_two_hundred_half_handshakes(door):
    def half():
        connection = door.connect()
        connection.sendall(CLIENT_HELLO)
        return connection

    with two_hundred(half):
        assert scrape_is_quick(door)


def test_a_scrape_goes_on_beside_two_hundred_that_ask_nothing(door):
    with two_hundred(door.connect_tls):
        assert scrape_is_quick(door)


def test_a_scrape_goes_on_when_all_places_are_taken(door):
    with contextlib.ExitStack() as held:
        for _ in range(400):
            held.enter_context(door.connect())
        assert scrape_is_quick(door)
        assert descriptors(door) < 256 + 64


def test_a_scrape_goes_on_while_passwords_are_guessed(door):
    over = threading.Event()
    answers = []

    def guess(number):
        while not over.is_set():
            with contextlib.suppress(OSError), door.connect_tls() as connection:
                for _ in range(20):
                    pair = f"prom:{number}{random.random()}".encode()
                    header = f"Authorization: Basic {base64.b64encode(pair).decode()}\r\n"
                    answers.append(request(connection, header=header)[0])
                    if answers[-1] == 503:
                        over.wait(0.05)

    guessers = [threading.Thread(target=guess, args=(number,)) for number in range(25)]
    for thread in guessers:
        thread.start()
    try:
        wait_until(lambda: len(answers) > 40, "guesses")
        assert scrape_is_quick(door, times=10)
    finally:
        over.set()
        for thread in guessers:
            thread.join()
    assert set(answers) <= {401, 503} and 401 in answers
    assert 503 in answers, "no more wait for a check than there is room for"


def test_garbage_ends_its_own_connection_only(door):
    before = descriptors(door)
    dice = random.Random(6)
    for size in (0, 1, 5, 11, 64, 1000, 20000):
        for first in (b"", b"\x16\x03\x01", CLIENT_HELLO, b"\x80\x2e\x01", b"GET / HTTP/1.1\r\n"):
            with door.connect() as connection, contextlib.suppress(OSError):
                connection.sendall(first + dice.randbytes(size))
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(65536):
                    pass
    assert scrape_is_quick(door)
    wait_until(lambda: descriptors(door) <= before, "the ends of all connections")


def test_garbage_inside_tls_ends_its_own_connection_only(door):
    dice = random.Random(6)
    for size in (1, 100, 30000):
        with contextlib.suppress(OSError, ssl.SSLError), door.connect_tls() as connection:
            connection.sendall(dice.randbytes(size) + b"\r\n\r\n")
            connection.recv(65536)
    with contextlib.suppress(OSError, ssl.SSLError), door.connect_tls() as connection:
        raw = socket.socket(fileno=os.dup(connection.fileno()))
        raw.sendall(b"\x17\x03\x03\x00\x20" + dice.randbytes(32))  # a record that was tampered with
        connection.recv(65536)
        raw.close()
    assert scrape_is_quick(door)


def test_headers_and_bodies_have_a_limit_behind_tls_too(door):
    assert door.status(*OPEN, "-H", "X: " + "x" * 30000) in (431, 0)  # 0: it hung up while we wrote
    assert door.status(*OPEN, "-X", "POST", "-d", "x" * 100000, path="/-/reload") in (413, 0)
    for strange in ("Basic", "Basic !!!!", "Basic ====", "Bearer abc", "Basic cHJvbQ==",
                    "basic " + "A" * 8000, "Basic cHJvbTpjb3JyZWN0IGhvcnNlAA=="):
        assert door.status("-H", f"Authorization: {strange}") == 401, strange
    assert door.status("-H", "authorization: bAsIc " +
                       base64.b64encode(f"prom:{SECRET}".encode()).decode()) == 200


def test_it_ends_in_time_whatever_its_clients_do(door):
    def slow():
        connection = door.connect_tls()
        connection.sendall(b"GET /metrics HTTP/1.1\r\n")
        return connection

    with two_hundred(slow), door.connect():
        assert door.daemon.stop(patience=5) == 0
