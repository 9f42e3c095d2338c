"""The browser and the servers that most tests of a process share."""

import atexit
import functools


@functools.cache
def shared(kind):
    """The only one of this class; closed with the process."""
    parts = kind()
    atexit.register(parts.close)
    return parts
