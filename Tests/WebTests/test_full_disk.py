"""A disk that is really full: the page shows it, sends no code, and works again with room."""

import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

from browser import Browser
from person import PIN, Parts, Person, with_real_cost
from verifier import payment

SIZE_MIB = 64


def can_mount():
    """Whether this process may mount a file system that no other process sees."""
    probe = ["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", tempfile.gettempdir()]
    return subprocess.run(probe, capture_output=True, check=False).returncode == 0


class FullDisk(Person):
    """The tests run again inside a mount namespace, where the profile is on a small disk."""

    @classmethod
    def own_parts(cls):
        cls.disk = pathlib.Path(os.environ["SMALL_DISK"])
        return Parts(Browser(str(cls.disk / "profile")))

    def fill(self):
        with open(self.disk / "filler", "ab", buffering=0) as file:
            for size in (1 << 20, 4096, 1):
                try:
                    while file.write(bytes(size)):
                        pass
                except OSError:
                    continue

    @contextlib.contextmanager
    def full(self):
        """The disk stays full, although the browser removes old files of its own."""
        ended = threading.Event()

        def keep_full():
            while not ended.wait(0.005):
                self.fill()

        self.fill()
        filler = threading.Thread(target=keep_full)
        filler.start()
        try:
            yield
        finally:
            ended.set()
            filler.join()

    @with_real_cost
    def test_a_full_disk_and_room_again(self):
        self.activate()
        transaction = self.server.pay(payment("Apples"))
        self.open_request("Apples")
        self.type("PIN", PIN)
        with self.full():
            self.until(lambda _: os.statvfs(self.disk).f_bavail == 0)
            self.press("Approve")
            # Chromium does not report the error of the disk.
            self.until_error(self.words["storage"]["failed"])
        self.assertEqual(self.server.state(transaction), "pending")
        self.assertNotIn("/device/v1/decision", self.server.log.read_text())
        (self.disk / "filler").unlink()
        self.open()
        self.open_request("Apples")
        self.type("PIN", PIN)
        self.press("Approve")
        self.until_heading("Approved: Apples")
        self.assertEqual(self.server.state(transaction), "approved")


class InNamespace(unittest.TestCase):
    def test_a_full_disk(self):
        if not can_mount():
            print("Not tested: a full disk, because only root may mount one here.")
            self.skipTest("no right to mount")
        with tempfile.TemporaryDirectory(prefix="web-tests-disk-") as folder:
            mount = "mount -t tmpfs -o size=%dm tmpfs %s && exec \"$@\"" % (SIZE_MIB, folder)
            done = subprocess.run(
                ["unshare", "--mount", "bash", "-c", mount, "bash", sys.executable, "-B", "-m",
                 "unittest", "test_full_disk.FullDisk"],
                env=dict(os.environ, SMALL_DISK=folder), capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)


def load_tests(loader, tests, pattern):
    """Outside, only the test that makes the namespace."""
    inside = FullDisk if "SMALL_DISK" in os.environ else InNamespace
    return loader.loadTestsFromTestCase(inside)
