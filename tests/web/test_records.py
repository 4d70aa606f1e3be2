"""Files of recorded games: zip, gz, folders, matches with and without their sheet, and files that are none."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest

from hexlogic.errors import HexlogicError
from hexlogic.web.records import load_records


def test_a_zip_a_gz_and_a_folder_hold_the_same_games(record_files: list[Path], tmp_path: Path) -> None:
    sgf, tournament, _ = record_files
    with zipfile.ZipFile(tmp_path / "games.zip", "w") as archive:
        archive.write(sgf, "a.sgf")
        archive.write(sgf, "b.sgf")
    zipped = load_records(tmp_path / "games.zip")
    assert [found.title for found in zipped] == ["ann - bob, 3x3, red wins"] * 2
    assert zipped[0].frames() == load_records(sgf)[0].frames()
    (tmp_path / "tournament.jsonl.gz").write_bytes(gzip.compress(tournament.read_bytes()))
    assert load_records(tmp_path / "tournament.jsonl.gz") == load_records(tournament)
    (tmp_path / "tournament.jsonl").write_bytes(tournament.read_bytes() + b'{"type":"ga')
    assert load_records(tmp_path) == load_records(tournament)  # the torn last line is left out


def test_a_match_without_its_sheet_is_told_as_facts(record_files: list[Path], tmp_path: Path) -> None:
    (with_sheet,) = load_records(record_files[2])
    lonely = tmp_path / "matches.jsonl"
    lonely.write_bytes(record_files[2].read_bytes())
    (without,) = load_records(lonely)
    first, last = with_sheet.frames()["frames"], without.frames()["frames"]
    assert all(frame["board"]["size"] == "3x3" for frame in first)
    assert [frame["facts"] for frame in first] == [frame["facts"] for frame in last]
    assert all(frame["board"] is None for frame in last)
    assert load_records(lonely, record_files[2].parent / "hex.kif")[0].frames() == with_sheet.frames()


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("none.sgf", b"hello", "no known format"),
        ("bad.jsonl", b'{"type":"game"}\n\n', "bad.jsonl:1: no line of games"),
        ("bytes.sgf", b"\xff\xfe", "not UTF-8"),
        ("short.gz", b"\x1f\x8b", "cannot be read"),
        ("empty.jsonl", b'{"type":"end","ended":"now"}\n', "there is no game here"),
    ],
)
def test_other_files_are_refused_with_a_reason(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(HexlogicError, match=words):
        load_records(tmp_path / name)
