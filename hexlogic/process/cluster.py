"""Use a dask.distributed cluster as a set of workers, each of which does one task at a time.

A worker may die at any moment. Whoever calls it learns that as `WorkerLost` and decides what to do again, since only
the caller knows what may be repeated and where: a measurement only on the same host, a proof anywhere.
"""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from hexlogic.errors import HexlogicError
from hexlogic.process.extras import need

if TYPE_CHECKING:
    from distributed import Client

P = ParamSpec("P")
T = TypeVar("T")
Task = TypeVar("Task")
W = TypeVar("W")

_LOOK_S = 0.2
_CONNECT_S = 10.0
_START_S = 60.0
_GRACE_S = 5.0
"""Seconds in which a worker that was stopped may clean up."""
_TRIES = 10
"""How often an answer is asked for that distributed fails to fetch."""


class WorkerLost(Exception):  # noqa: N818
    """The worker is gone, and with it what it was doing."""


class SchedulerLost(HexlogicError):  # noqa: N818
    """The scheduler is gone, and with it the cluster."""


class CallStopped(Exception):  # noqa: N818
    """The caller's stop event was set before the answer came."""


@dataclass(frozen=True, slots=True, order=True)
class Worker:
    """A process of the cluster that does one task at a time, and its machine."""

    host: str
    address: str


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
    """The cluster behind `dask:ADDRESS`, or for `dask` one of so many workers on this machine, on loopback only.

    Raises HexlogicError when distributed is not installed, no scheduler answers, or it has no worker.
    """
    need("cluster")
    from distributed import Client, LocalCluster

    # What the cluster has to say is said by us; its own log lines are for whoever runs the scheduler.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    _, _, address = executor.partition(":")
    with contextlib.ExitStack() as stack:
        where: str | LocalCluster = address or stack.enter_context(
            LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
            )
        )
        try:
            client = stack.enter_context(Client(where, timeout=_CONNECT_S, set_as_default=False))
        except (OSError, ValueError) as error:
            words = str(error).splitlines()[0] if str(error) else "no answer"
            hint = "start one with dask scheduler"
            raise HexlogicError(f"no scheduler at {address}: {words}", hint=hint) from None
        cluster = Cluster(client)
        cluster.wait_for_workers(_START_S if not address else _CONNECT_S)
        yield cluster


class Cluster:
    """The living workers and calls to them; usable from several threads."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._address = str(client.scheduler_info()["address"])
        self._hosts: dict[str, str] = {}
        self._lock = threading.Lock()

    def _living(self) -> set[str]:
        """The addresses of the workers that live now. Raises SchedulerLost."""
        try:
            return set(self._client.nthreads())
        except OSError:
            raise SchedulerLost(f"the scheduler at {self._address} is gone") from None

    def workers(self) -> tuple[Worker, ...]:
        """The workers that live now, by host. Raises SchedulerLost."""
        addresses = self._living()
        with self._lock:
            if unknown := sorted(addresses - self._hosts.keys()):
                names: dict[str, object] = self._client.run(_host_name, workers=unknown, on_error="ignore")
                self._hosts.update({address: name for address, name in names.items() if isinstance(name, str)})
            return tuple(sorted(Worker(self._hosts[each], each) for each in addresses if each in self._hosts))

    def wait_for_workers(self, seconds: float) -> tuple[Worker, ...]:
        """The workers as soon as there are any. Raises HexlogicError when time is up."""
        until = time.monotonic() + seconds
        while not (workers := self.workers()):
            if time.monotonic() > until:
                raise HexlogicError("the scheduler has no worker", hint="start one with dask worker ADDRESS")
            time.sleep(_LOOK_S)
        return workers

    def call(
        self, worker: Worker, stop: threading.Event | None, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """`function(...)` on this worker; the function and all values must pickle.

        Raises WorkerLost when it dies before it has answered, CallStopped when `stop` is set (the function should hear
        of that in its own way, see `tell_all`, and gets a moment to end), and what the function raises.
        """
        from distributed import CancelledError, KilledWorker
        from distributed import TimeoutError as NotYet

        future = self._client.submit(
            function, *args, **kwargs, workers=[worker.address], allow_other_workers=False, pure=False, retries=0
        )
        patience, tries = _GRACE_S, _TRIES
        try:
            while True:
                try:
                    answer: T = future.result(timeout=_LOOK_S)
                    return answer
                except NotYet:
                    pass
                except (CancelledError, HexlogicError):
                    raise
                except Exception:
                    # Of the function, or, while there is no answer, of distributed itself: when a worker dies in the
                    # moment in which its answer is fetched, an UnboundLocalError.
                    tries -= 1
                    if future.status == "error" or not tries:
                        raise
                    time.sleep(_LOOK_S)
                if stop is not None and stop.is_set():
                    patience -= _LOOK_S
                    if patience <= 0:
                        raise CallStopped
                if worker.address not in self._living():
                    raise WorkerLost(worker.address)
        except (CancelledError, KilledWorker):
            raise WorkerLost(worker.address) from None
        finally:
            with contextlib.suppress(Exception):
                future.cancel(force=True)

    def stream(
        self, function: Callable[..., T], tasks: Iterable[tuple[object, ...]], say: Callable[[str], None]
    ) -> Iterator[tuple[int, T]]:
        """`function(*task)` for every task, one at a time on each worker: see `work_through`.

        A task whose worker dies is given to another one, which `say` hears. Raises HexlogicError when none is left.
        """
        stop = threading.Event()

        def others(lost: Worker) -> tuple[Worker, ...]:
            say(f"worker {lost.address} on {lost.host} is lost; its task is given to another")
            return self.wait_for_workers(_CONNECT_S)

        workers = self.wait_for_workers(_CONNECT_S)
        with ThreadPoolExecutor(len(workers)) as pool:
            try:
                yield from work_through(
                    tasks, workers, lambda worker, task: pool.submit(self.call, worker, stop, function, *task), others
                )
            finally:
                stop.set()

    def tell_all(self, function: Callable[..., object], *args: object) -> None:
        """Run a quick function on every living worker, beside whatever it is doing; lost workers are ignored."""
        with contextlib.suppress(Exception):
            self._client.run(function, *args, on_error="ignore")


def work_through(
    tasks: Iterable[Task],
    workers: Iterable[W],
    submit: Callable[[W, Task], Future[T]],
    others: Callable[[W], Iterable[W]] = lambda lost: (),
) -> Iterator[tuple[int, T]]:
    """The number of each task and its answer, in the order in which they end. A worker has one task at a time, and a
    task is taken from `tasks` only when somebody can do it.

    A task that ends in WorkerLost is done again; `others` gives the workers, busy ones among them, that there are
    without the lost one. Raises HexlogicError when none is left for a task.
    """
    waiting, again, free = iter(enumerate(tasks)), list[tuple[int, Task]](), list(workers)
    running: dict[Future[T], tuple[W, tuple[int, Task]]] = {}
    while True:
        while free and (task := again.pop() if again else next(waiting, None)) is not None:
            worker = free.pop()
            running[submit(worker, task[1])] = worker, task
        if not running:
            if again or next(waiting, None) is not None:
                raise HexlogicError("no worker is left", hint="start one with dask worker ADDRESS")
            return
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            worker, task = running.pop(future)
            try:
                answer = future.result()
            except WorkerLost:
                again.append(task)
                busy = {worker, *(each for each, _ in running.values())}
                free = [each for each in others(worker) if each not in busy]
            else:
                free.append(worker)
                yield task[0], answer


def _host_name() -> str:
    return socket.gethostname()
