"""The fixtures that keep tests on this machine do what they say."""

import os
import socket
from pathlib import Path

import pytest


def test_a_connection_to_another_machine_is_refused() -> None:
    with socket.socket() as other, pytest.raises(Exception, match=r"connection to .*192\.0\.2\.1"):
        other.connect(("192.0.2.1", 80))


def test_a_look_up_of_another_machine_is_refused() -> None:
    with pytest.raises(Exception, match=r"name look-up of 'example\.org'"):
        socket.getaddrinfo("example.org", 443)


def test_a_connection_within_this_machine_is_possible() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()


def test_home_is_empty_and_no_setting_comes_in_from_outside() -> None:
    assert not list(Path.home().iterdir())
    assert {name for name in os.environ if name.startswith(("CYTAT_", "OPENAI_"))} == {
        "CYTAT_CACHE"
    }
