# SPDX-License-Identifier: Apache-2.0
"""The tests that CTest knows, what each executes, and how long it takes on the unchanged sources."""

import functools
import hashlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


@functools.lru_cache(maxsize=None)
def digest(file):
    return hashlib.sha256(file.read_bytes()).digest()


class Test:
    def __init__(self, entry, build, graph):
        properties = {p["name"]: p["value"] for p in entry.get("properties", [])}
        self.name = entry["name"]
        self.command = entry["command"]
        self.inputs = graph.inputs
        self.build = Path(build)
        self.folder = properties.get("WORKING_DIRECTORY", str(build))
        self.environment = dict(e.split("=", 1) for e in properties.get("ENVIRONMENT", []))
        self.skip_code = properties.get("SKIP_RETURN_CODE")
        prefix = f"{self.build}/"
        self.executes = [w[len(prefix) :] for w in self.command if w.startswith(prefix) and w[len(prefix) :] in graph.inputs]
        # programs that a test runs by name: what its target depends on in bin/
        self.programs = sorted(
            {n for e in self.executes for n in graph.needs.get(e, []) if n.startswith("bin/") and n in graph.inputs}
        )
        self.cpu = self.wall = 0.0  # seconds, on the unchanged sources

    def outputs(self):
        return self.executes + self.programs

    def fingerprint(self):
        """Changes when what is executed does."""
        state = hashlib.sha256(json.dumps([self.command, self.environment]).encode())
        for output in self.outputs():
            state.update(digest(self.build / output))
        return state.hexdigest()

    def nearness(self, path):
        """How many folders the test's own sources share with a file: tests mirror the tree."""
        folders = Path(path).parent.parts
        near = 0
        for output in self.executes:
            for name in self.inputs.get(output, ()):
                parts = Path(name).parts
                if parts[0] == "tests":
                    shared = [a == b for a, b in zip(folders, parts[1:])]
                    near = max(near, (shared + [False]).index(False))
        return near

    def run(self, paths, limit=None):
        """Runs it with some outputs replaced (output -> path); `limit` in seconds of processor time, for each process."""
        work = Path(tempfile.mkdtemp(prefix="gvp-mutant-"))
        try:
            programs = work / "programs"
            programs.mkdir()
            for program in self.programs:
                (programs / Path(program).name).symlink_to(self.build / paths.get(program, program))
            command = list(self.command)
            for output in self.executes:
                command = [
                    str(self.build / paths.get(output, output)) if word == str(self.build / output) else word
                    for word in command
                ]
            limits = ["prlimit", "--core=0", f"--fsize={1 << 30}"]
            if limit is not None:
                limits += [f"--cpu={int(limit) + 1}", f"--as={8 << 30}"]
            environment = {
                **os.environ, **self.environment, "TMPDIR": str(work), "TEST_TMPDIR": f"{work}/",
                "GVP_PROGRAMS": str(programs), "GTEST_FAIL_FAST": "1",
            }  # fmt: skip
            process = subprocess.Popen(
                limits + command, cwd=self.folder, env=environment, start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            try:
                # other work on the machine slows the clock on the wall, not the processor time
                status = process.wait(1800 if limit is None else max(60.0, 20 * self.wall))
            except subprocess.TimeoutExpired:
                status = -signal.SIGALRM
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
            if status == 0:
                return PASSED
            return SKIPPED if status == self.skip_code else FAILED
        finally:
            shutil.rmtree(work, ignore_errors=True)

    def measure(self):
        before, begin = os.times(), time.monotonic()
        outcome = self.run({})
        after = os.times()
        self.wall = time.monotonic() - begin
        self.cpu = after.children_user + after.children_system - before.children_user - before.children_system
        return outcome


def all_tests(build, graph):
    """Those that execute something built here."""
    listing = subprocess.run(
        ["ctest", "--test-dir", str(build), "--show-only=json-v1"], check=True, capture_output=True, text=True
    ).stdout
    tests = [Test(e, build, graph) for e in json.loads(listing)["tests"] if "command" in e]
    return [t for t in tests if t.executes]


class Measurements:
    """How tests end on the unchanged sources and how long they take; kept in `file`, and measured when first asked for
    and again when an executable changes."""

    def __init__(self, file, build, say):
        self.file, self.say, self.lock = file, say, threading.Lock()
        self.known = json.loads(file.read_text()) if file.exists() else {}
        self.costs = {}  # what CTest remembers of its last runs: "NAME RUNS SECONDS"
        costs = Path(build) / "Testing/Temporary/CTestCostData.txt"
        for line in costs.read_text().splitlines() if costs.exists() else ():
            words = line.split()
            if len(words) == 3:
                self.costs[words[0]] = float(words[2])

    def guess(self, test):
        """Seconds of processor time, to put the fast ones first."""
        entry = self.known.get(test.name)
        return entry["cpu"] if entry else self.costs.get(test.name, 1.0)

    def outcome(self, test):
        """Sets the test's times, too."""
        with self.lock:
            fingerprint = test.fingerprint()
            entry = self.known.get(test.name)
            if not entry or entry["fingerprint"] != fingerprint or entry["outcome"] == FAILED:
                self.say(f"running on the unchanged sources: {test.name}")
                outcome = test.measure()
                entry = {"fingerprint": fingerprint, "outcome": outcome, "cpu": test.cpu, "wall": test.wall}
                self.known[test.name] = entry
                self.file.write_text(json.dumps(self.known, indent=1))
            test.cpu, test.wall = entry["cpu"], entry["wall"]
            return entry["outcome"]
