"""PDF files of one page whose content is whatever a test likes."""

import zlib


def deflated(content: bytes, *, times: int) -> bytes:
    """Return the content, repeated, in deflate; never held unpacked."""
    packing = zlib.compressobj(9)
    parts = [packing.compress(content) for _ in range(times)]
    return b"".join(parts) + packing.flush()


def one_page(stream: bytes, *, filters: str) -> bytes:
    """Return a PDF whose only page is drawn by the stream."""
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources 6 0 R >>",
        b"<< /Length %d /Filter %b >>\nstream\n%b\nendstream"
        % (len(stream), filters.encode(), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>",
        b"<< /Font << /F1 5 0 R >> >>",
    )
    out = bytearray(b"%PDF-1.5\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(out)
    out += b"xref\n0 7\n0000000000 65535 f \n" + table
    return bytes(out + b"trailer\n<< /Size 7 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % start)
