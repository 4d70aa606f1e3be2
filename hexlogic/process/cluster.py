"""Use a dask.distributed cluster: work for any worker, or for a worker of one host.

A worker may die at any moment. Dask gives its task to another one that may do it; when there is none, the task waits a
while for a new worker.
"""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TYPE_CHECKING, TypeVar

from hexlogic.errors import HexlogicError
from hexlogic.process.extras import need

if TYPE_CHECKING:
    from distributed import Client

T = TypeVar("T")

_LOOK_S = 0.1
_CONNECT_S = 10.0
_START_S = 60.0
_COME_BACK_S = 20.0  # How long a task waits where there is no worker for it: whoever started them may start another
_TRIES = 10  # How often an answer is asked for that could not be fetched
_GRACE_S = 5.0  # Seconds in which a task that was stopped may clean up


class NoWorker(HexlogicError):  # noqa: N818
    """No worker is left that may do a task."""


class SchedulerLost(HexlogicError):  # noqa: N818
    """The scheduler is gone, and with it the cluster."""


class CallStopped(Exception):  # noqa: N818
    """The caller's stop event was set before the answer came."""


def is_cluster(executor: str) -> bool:
    """Whether the text of `--executor` means a cluster. Raises HexlogicError for any other text.

    >>> is_cluster("local"), is_cluster("dask"), is_cluster("dask:tcp://10.0.0.1:8786")
    (False, True, True)
    """
    if executor == "local":
        return False
    name, colon, address = executor.partition(":")
    if name == "dask" and bool(colon) == bool(address):
        return True
    raise HexlogicError(f"unknown executor {executor!r}", hint="local, dask, or dask:ADDRESS of a scheduler")


@contextlib.contextmanager
def open_cluster(executor: str, workers: int) -> Iterator[Cluster]:
    """The cluster behind `dask:ADDRESS`, or for `dask` one of so many workers on this machine, on loopback only. Raises
    HexlogicError when distributed is not installed, no scheduler answers, or it has no worker."""
    need("cluster")
    from distributed import Client, LocalCluster

    # What the cluster has to say is said by us; its own log lines are for whoever runs the scheduler.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    _, _, address = executor.partition(":")
    with contextlib.ExitStack() as stack:
        here = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0", "silence_logs": logging.CRITICAL}
        where: str | LocalCluster = address or stack.enter_context(
            LocalCluster(n_workers=workers, threads_per_worker=1, **here)
        )
        try:
            client = stack.enter_context(Client(where, timeout=_CONNECT_S, set_as_default=False))
        except (OSError, ValueError) as error:
            words = str(error).splitlines()[0] if str(error) else "no answer"
            hint = "start one with dask scheduler"
            raise HexlogicError(f"no scheduler at {address}: {words}", hint=hint) from None
        cluster, until = Cluster(client), time.monotonic() + (_CONNECT_S if address else _START_S)
        while not cluster.hosts():
            if time.monotonic() > until:
                raise NoWorker("the scheduler has no worker", hint="start one with dask worker ADDRESS")
            time.sleep(_LOOK_S)
        yield cluster


class Cluster:
    """The living workers and calls to them; usable from several threads."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._address = str(client.scheduler_info()["address"])
        self._hosts: dict[str, str] = {}
        self._lock = threading.Lock()

    def hosts(self) -> dict[str, set[str]]:
        """The addresses of the workers that live now, by host. Raises SchedulerLost."""
        hosts: dict[str, set[str]] = {}
        with self._lock:
            try:
                living = sorted(self._client.nthreads())
            except OSError:
                raise SchedulerLost(f"the scheduler at {self._address} is gone") from None
            if unknown := [address for address in living if address not in self._hosts]:
                names: dict[str, object] = self._client.run(socket.gethostname, workers=unknown, on_error="ignore")
                self._hosts.update({address: name for address, name in names.items() if isinstance(name, str)})
            for address in filter(self._hosts.__contains__, living):
                hosts.setdefault(self._hosts[address], set()).add(address)
        return hosts

    def call(self, host: str | None, stop: threading.Event | None, function: Callable[..., T], *args: object) -> T:
        """`function(...)` on an idle worker of this host, of any unless given; the function and all values must pickle.
        When the worker dies before it has answered, another one does the same again.

        Raises NoWorker when none is left, CallStopped when `stop` is set (the function should hear of that in its own
        way, see `tell_all`, and gets a moment to end), SchedulerLost, and what the function raises.
        """
        from distributed import CancelledError, KilledWorker

        future, asked, patience, tries = None, set[str](), _GRACE_S, _TRIES
        until = time.monotonic() + _COME_BACK_S
        try:
            while True:
                hosts = self.hosts()
                living = set().union(*hosts.values()) if host is None else hosts.get(host, set())
                if living:
                    until = time.monotonic() + _COME_BACK_S
                elif time.monotonic() > until:
                    raise NoWorker(f"no worker is left{f' on {host}' if host else ''}", hint="--resume goes on")
                if living and not asked & living:
                    asked = living
                    future = self._client.submit(
                        function, *args, workers=sorted(living), allow_other_workers=False, pure=False, retries=0
                    )
                try:
                    if future is not None and future.done():
                        # Not to be cut short: the client would hand the cancelled fetch to all later ones.
                        answer: T = future.result(timeout=_COME_BACK_S)
                        return answer
                except CancelledError:
                    asked = set()
                except KilledWorker:
                    raise NoWorker("the workers that did this died of it") from None
                except Exception:
                    # Of the function; or of distributed itself, when a worker dies while its answer is fetched.
                    tries -= 1
                    if (future is not None and future.status == "error") or not tries:
                        raise
                time.sleep(_LOOK_S)
                if stop is not None and stop.is_set():
                    patience -= _LOOK_S
                    if patience <= 0:
                        raise CallStopped
        finally:
            with contextlib.suppress(Exception):
                if future is not None:
                    future.cancel(force=True)

    def stream(self, function: Callable[..., T], tasks: Iterable[tuple[object, ...]]) -> Iterator[tuple[int, T]]:
        """The number and result of each task as they end, one at a time for each worker. Raises as `call`."""
        stop = threading.Event()
        with ThreadPoolExecutor(sum(map(len, self.hosts().values())) or 1) as pool:
            try:
                numbers = {
                    pool.submit(self.call, None, stop, function, *task): number for number, task in enumerate(tasks)
                }
                for future in as_completed(numbers):
                    yield numbers[future], future.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
            finally:
                stop.set()

    def tell_all(self, function: Callable[..., object], *args: object) -> None:
        """Run a quick function on every living worker, beside whatever it is doing; lost workers are ignored."""
        with contextlib.suppress(Exception):
            self._client.run(function, *args, on_error="ignore")
