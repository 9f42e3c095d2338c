"""Runs the test modules in several processes: one more than processors, because a test often waits.

A job is one process: its modules share a verifier or a folder of the build.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import time

# The longest first. A job without names has all other modules.
JOBS = [
    ["test_every_screen"],
    ["test_profile"],
    [],
    ["test_screens", "test_keyboard"],
    ["test_ways_out", "test_navigation"],
    ["test_notifications"],
    ["test_build", "test_argon2", "test_reader"],
    ["test_full_disk", "test_other_browsers", "test_picture"],
]
HERE = pathlib.Path(__file__).parent
SUMMARY = re.compile(r"^Ran (\d+) tests?|^FAILED.*|^OK.*", re.MULTILINE)


def jobs():
    named = {module for job in JOBS for module in job}
    others = sorted(path.stem for path in HERE.glob("test_*.py") if path.stem not in named)
    return [job or others for job in JOBS]


def run(job):
    """The exit code and the number of tests; prints the output when the job has ended."""
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-B", "-W", "ignore::ResourceWarning", "-m", "unittest", *job], cwd=HERE,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    count = sum(int(number) for number in SUMMARY.findall(done.stdout) if number)
    lines = [line for line in done.stdout.splitlines() if line.strip(".s-")]
    print("%s: %.0f s\n%s\n" % (", ".join(job), time.monotonic() - start, "\n".join(lines)), flush=True)
    return done.returncode, count


def main():
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() + 1) as pool:
        results = list(pool.map(run, jobs()))
    failed = [code for code, _ in results if code]
    print("%d tests of the device for browsers in %.0f s%s" % (
        sum(count for _, count in results), time.monotonic() - start,
        ", with failures" if failed else ""))
    return 1 if failed else 0


sys.exit(main())
