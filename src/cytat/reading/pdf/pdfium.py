"""Functions of PDFium, called with plain numbers for pointers. PDFium's lock is held by the caller.

pypdfium2 makes an object of ctypes for every pointer that it hands in or gets back; a report has
hundreds of thousands. An address here is a plain number, None for what is not there, and is good
for as long as the page it is of stays open.
"""

import ctypes
from collections.abc import Callable
from typing import Any, TypeAlias

import pypdfium2.raw as pdfium

Address: TypeAlias = int | None
_ADDRESS, _INT, _DOUBLE, _SIZE = ctypes.c_void_p, ctypes.c_int, ctypes.c_double, ctypes.c_size_t


def address_of(handle: Any) -> Address:  # noqa: ANN401 - pypdfium2 has no types
    """Return the address that a handle of pypdfium2 holds."""
    return ctypes.cast(handle, _ADDRESS).value


def _called(name: str, result: type[Any], *taken: type[Any]) -> Callable[..., Any]:
    # The interpreter is held meanwhile: letting go of it takes as long as the call.
    prototype = ctypes.PYFUNCTYPE(result, *taken)
    return prototype(address_of(getattr(pdfium, name)) or 0)


_OfNumber: TypeAlias = Callable[..., int]
_OfAddress: TypeAlias = Callable[..., Address]

loose_box: _OfNumber = _called("FPDFText_GetLooseCharBox", _INT, _ADDRESS, _INT, _ADDRESS)
"""Text, index, where four floats are written: left, top, right, bottom. 0 if there is none."""
matrix_of: _OfNumber = _called("FPDFText_GetMatrix", _INT, _ADDRESS, _INT, _ADDRESS)
"""Text, index, where six floats are written."""
font_size: Callable[..., float] = _called("FPDFText_GetFontSize", _DOUBLE, _ADDRESS, _INT)
"""Text, index -> the size of the type before the matrix."""
has_no_meaning: _OfNumber = _called("FPDFText_HasUnicodeMapError", _INT, _ADDRESS, _INT)
"""Text, index -> 1 if the file does not say which character it is."""
text_object: _OfAddress = _called("FPDFText_GetTextObject", _ADDRESS, _ADDRESS, _INT)
"""Text, index -> what of the page draws the character."""
font_of: _OfAddress = _called("FPDFTextObj_GetFont", _ADDRESS, _ADDRESS)
"""What draws characters -> its font."""
render_mode: _OfNumber = _called("FPDFTextObj_GetTextRenderMode", _INT, _ADDRESS)
"""What draws characters -> whether it fills or outlines them."""
base_font_name: _OfNumber = _called("FPDFFont_GetBaseFontName", _SIZE, _ADDRESS, _ADDRESS, _SIZE)
"""Font, where its name is written, bytes there."""

object_at: _OfAddress = _called("FPDFPage_GetObject", _ADDRESS, _ADDRESS, _INT)
"""Page, number -> what is drawn."""
kind_of: _OfNumber = _called("FPDFPageObj_GetType", _INT, _ADDRESS)
"""What is drawn -> text, path, picture or other."""
bounds_of: _OfNumber = _called("FPDFPageObj_GetBounds", _INT, *[_ADDRESS] * 5)
"""What is drawn, where its left, bottom, right and top are written. 0 if it has none."""
draw_modes: _OfNumber = _called("FPDFPath_GetDrawMode", _INT, *[_ADDRESS] * 3)
"""Path, where it is written how it is filled and whether it is outlined."""
segments_of: _OfNumber = _called("FPDFPath_CountSegments", _INT, _ADDRESS)
"""Path -> of how many parts it is."""

fill_colour: _OfNumber = _called("FPDFPageObj_GetFillColor", _INT, *[_ADDRESS] * 5)
"""What is drawn, where its red, green, blue and opacity are written, 0 to 255. 0 if it has none."""
clip_of: _OfAddress = _called("FPDFPageObj_GetClipPath", _ADDRESS, _ADDRESS)
"""What is drawn -> the outlines outside of which it is not shown."""
clip_paths: _OfNumber = _called("FPDFClipPath_CountPaths", _INT, _ADDRESS)
"""Outlines -> how many they are; below 1 if there are none."""
clip_segments: _OfNumber = _called("FPDFClipPath_CountPathSegments", _INT, _ADDRESS, _INT)
"""Outlines, number of one -> of how many parts it is."""
clip_segment: _OfAddress = _called("FPDFClipPath_GetPathSegment", _ADDRESS, _ADDRESS, _INT, _INT)
"""Outlines, number of one, number of a part -> that part."""
segment_point: _OfNumber = _called("FPDFPathSegment_GetPoint", _INT, *[_ADDRESS] * 3)
"""Part of an outline, where its x and y are written. 0 if it has none."""
