"""Runs test modules in several processes: one more than processors, because a test often waits.

A job is one process: its modules share a verifier or a folder of the build.
usage: parallel.py, in a folder with jobs.py: SUBJECT, and JOBS, lists of modules with the longest ones
       first. A job without names has all other modules.
"""

import concurrent.futures
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path.cwd()
# Seconds for one job: many times the duration of the longest one.
TIMEOUT = 3600
SUMMARY = re.compile(r"^Ran (\d+) tests?|^FAILED.*|^OK.*", re.MULTILINE)


def plan():
    """The module jobs.py of the folder."""
    specification = importlib.util.spec_from_file_location("jobs", HERE / "jobs.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def jobs(named_jobs):
    named = {module for job in named_jobs for module in job}
    others = sorted(path.stem for path in HERE.glob("test_*.py") if path.stem not in named)
    return [job or others for job in named_jobs]


def run(job):
    """The exit code and the number of tests; prints the output when the job has ended."""
    start = time.monotonic()
    # Interrupted, Python stops the programs that its tests started.
    limited = ["timeout", "--foreground", "--signal=INT", "--kill-after=60", str(TIMEOUT)]
    done = subprocess.run(
        [*limited, sys.executable, "-B", "-W", "ignore::ResourceWarning", "-m", "unittest", *job], cwd=HERE,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    count = sum(int(number) for number in SUMMARY.findall(done.stdout) if number)
    lines = [line for line in done.stdout.splitlines() if line.strip(".s-")]
    if done.returncode == 124:
        lines.append("A test did not end in %d s." % TIMEOUT)
    print("%s: %.0f s\n%s\n" % (", ".join(job), time.monotonic() - start, "\n".join(lines)), flush=True)
    return done.returncode, count


def main():
    start, chosen = time.monotonic(), plan()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() + 1) as pool:
        results = list(pool.map(run, jobs(chosen.JOBS)))
    failed = [code for code, _ in results if code]
    print("%d tests of %s in %.0f s%s" % (
        sum(count for _, count in results), chosen.SUBJECT, time.monotonic() - start,
        ", with failures" if failed else ""))
    return 1 if failed else 0


sys.exit(main())
