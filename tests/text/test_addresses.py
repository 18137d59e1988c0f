"""What is shown of an address holds no password, however it is written."""

import pytest

from cytat.text.addresses import public_url


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1"),
        ("https://anna:tajne@a.example:8443/v1", "https://a.example:8443/v1"),
        ("https://anna@a.example", "https://a.example"),
        ("https://anna:taj@ne@a.example/v1", "https://a.example/v1"),
        ("http://[::1]:80/v1", "http://[::1]:80/v1"),
        ("https://a.example/v1?key=tajne&u=b@c#x", "https://a.example/v1"),
        ("https://a.example/v1/@me", "https://a.example/v1/@me"),
        ("https://anna:taj/ne@a.example/v1", "https://…"),
        ("https://anna:taj#ne@a.example/v1", "https://…"),
        ("https://anna:taj?ne@a.example/v1", "https://…"),
        ("anna:tajne@a.example", "…"),
        ("//anna:tajne@a.example/v1", "…"),
        ("/v1/elsewhere?key=tajne", "/v1/elsewhere"),
        ("a.example:80/v1", "a.example:80/v1"),
        ("", ""),
    ],
)
def test_an_address_is_shown_without_user_password_and_query(url: str, shown: str) -> None:
    assert public_url(url) == shown
