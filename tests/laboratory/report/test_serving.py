"""A report that is served: pages of the records as they are now, to this machine alone."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from hexlogic.errors import HexlogicError
from hexlogic.laboratory.records.store import FILE_NAME
from hexlogic.laboratory.records.types import encode_record
from hexlogic.laboratory.report.serving import ReportServer
from tests.laboratory.report.folders import measured, stored
from tests.laboratory.report.records import run


@pytest.fixture
def served(tmp_path: Path) -> Iterator[ReportServer]:
    stored(tmp_path / "records", measured(), ended=False)
    with ReportServer([tmp_path / "records"], tmp_path / "out") as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def page(server: ReportServer, name: str) -> tuple[str, dict[str, str]]:
    with urllib.request.urlopen(f"{server.url}/{name}") as answer:
        return answer.read().decode(), {name.title(): value for name, value in answer.headers.items()}


@pytest.mark.takes_seconds
def test_a_page_follows_the_records(served: ReportServer, tmp_path: Path) -> None:
    front, headers = page(served, "index.html")
    assert served.url.startswith("http://127.0.0.1:")
    assert "Who has won?" in front
    assert int(headers["Refresh"]) > 0
    before = f"cut off after {len(measured())} runs"
    assert before in page(served, "method.html")[0]
    with (tmp_path / "records" / FILE_NAME).open("ab") as file:
        file.write(encode_record(run("maker-breaker", "none", "swipl", 3.0)) + b"\n")
    assert f"cut off after {len(measured()) + 1} runs" in page(served, "method.html")[0]
    assert "Refresh" not in page(served, "assets/page.js")[1]
    with (tmp_path / "records" / FILE_NAME).open("ab") as file:
        file.write(b'{"record":"nothing"}\n')
    with pytest.raises(urllib.error.HTTPError, match="503"):
        page(served, "index.html")


def test_a_port_that_is_taken_is_one_line(served: ReportServer, tmp_path: Path) -> None:
    port = served.server_address[1]
    with pytest.raises(HexlogicError, match=f"127.0.0.1:{port}: cannot listen"):
        ReportServer([tmp_path / "records"], tmp_path / "out", port)


def test_ctrl_c_ends_the_command_with_0(tmp_path: Path) -> None:
    stored(tmp_path / "records", measured())
    words = ["report", str(tmp_path / "records"), "--out", str(tmp_path / "out"), "--serve", "--port", "0"]
    command = [sys.executable, "-m", "hexlogic", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        with urllib.request.urlopen(process.stdout.readline().strip().replace("index.html", "assets/page.js")) as page:
            assert page.status == 200
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == ""
    assert process.returncode == 0
