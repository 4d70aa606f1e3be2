"""How long a player may think."""

from __future__ import annotations

import threading
from time import monotonic


class Clock:
    """A deadline, some seconds from now. Another thread may end it early with `stop`.

    >>> clock = Clock(60)
    >>> clock.over, clock.less(60).over
    (False, True)
    >>> clock.stop()
    >>> clock.over, clock.left_s
    (True, 0.0)
    """

    def __init__(self, seconds: float) -> None:
        self._until = monotonic() + seconds
        self._stopped = threading.Event()

    def less(self, seconds: float) -> Clock:
        """A clock that is over `seconds` earlier, and when this one is stopped."""
        earlier = Clock(0)
        earlier._until = self._until - seconds
        earlier._stopped = self._stopped
        return earlier

    @property
    def left_s(self) -> float:
        """The seconds left, 0 when it is over."""
        return 0.0 if self._stopped.is_set() else max(0.0, self._until - monotonic())

    @property
    def over(self) -> bool:
        """Whether the time is up."""
        return self.left_s == 0

    def stop(self) -> None:
        """End it now."""
        self._stopped.set()
