"""Fakes, and a contract a seam: a back-end that passes the suite keeps what it promises."""
