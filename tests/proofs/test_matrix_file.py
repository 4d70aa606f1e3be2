"""Files of proofs: one writer at a time, and nothing is overwritten."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexlogic.errors import HexlogicError
from hexlogic.games import Hex
from hexlogic.process.files import write_stored
from hexlogic.proofs.matrix import matrix_path, proof_files, prove_all, read_matrix


def test_one_writer_at_a_time_and_nothing_is_overwritten(tmp_path: Path) -> None:
    board = Hex(3, 3)
    matrix = prove_all(board, names=["clusters", "follow-line-tabled", "power-set"])
    with matrix_path(tmp_path, board) as path:
        with pytest.raises(HexlogicError, match="is being written to by process"), matrix_path(tmp_path, board):
            pass
        write_stored(path, matrix)
    assert read_matrix(path) == matrix
    assert matrix.as_declared
    with pytest.raises(HexlogicError, match="is there already"), matrix_path(tmp_path, board):
        pass
    assert proof_files(tmp_path) == (path,)
    assert [file.name for file in tmp_path.glob("proofs-*")] == [path.name]
