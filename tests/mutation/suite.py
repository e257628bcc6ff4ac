# SPDX-License-Identifier: Apache-2.0
"""The tests that CTest knows, what each executes, and how long it takes on the unchanged sources."""

import functools
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
LONGEST_PAUSE = 0.05


@functools.lru_cache(maxsize=None)
def digest(file):
    return hashlib.sha256(file.read_bytes()).digest()


def shared(one, other):
    """How many folders two paths begin with alike."""
    same = [a == b for a, b in zip(Path(one).parts, Path(other).parent.parts)]
    return (same + [False]).index(False)


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
        self.near = {}
        self.executes = [w[len(prefix) :] for w in self.command if w.startswith(prefix) and w[len(prefix) :] in graph.inputs]
        # programs that a test runs by name: what its target depends on in bin/
        self.programs = sorted(
            {n for e in self.executes for n in graph.needs.get(e, []) if n.startswith("bin/") and n in graph.inputs}
        )
        self.cpu = self.wall = 0.0  # seconds, without any mutant
        self.reached = set()  # numbers of mutants

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
        folder = os.path.dirname(path)
        if folder in self.near:
            return self.near[folder]
        near = 0
        for output in self.executes:
            for name in self.inputs.get(output, ()):
                if name.startswith("tests/"):
                    near = max(near, shared(name[len("tests/") :], path))
        self.near[folder] = near
        return near

    def exists(self):
        return all((self.build / output).exists() for output in self.outputs())

    def run(self, paths, limit=None, variables=None):
        """Runs it with some outputs replaced (output -> path); `limit` in seconds of processor time, for each process.
        The outcome, and the processor time it took."""
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
            # memory is limited without a mutant, too: what does not pass so is no test of one
            limits = ["prlimit", "--core=0", f"--fsize={1 << 30}", f"--as={8 << 30}"]
            if limit is not None:
                limits.append(f"--cpu={int(limit) + 1}")
            environment = {
                **os.environ, **self.environment, "TMPDIR": str(work), "TEST_TMPDIR": f"{work}/",
                "GVP_PROGRAMS": str(programs), "GTEST_FAIL_FAST": "1", **(variables or {}),
            }  # fmt: skip
            process = subprocess.Popen(
                limits + command, cwd=self.folder, env=environment, start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            status, cpu = wait(process, 1800 if limit is None else max(60.0, 20 * self.wall))
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            if status == 0:
                return PASSED, cpu
            return SKIPPED if status == self.skip_code else FAILED, cpu
        finally:
            shutil.rmtree(work, ignore_errors=True)

    def measure(self, mutants):
        """Its outcome without any mutant, its times, and which of the first `mutants` mutants' places it reaches."""
        with tempfile.NamedTemporaryFile(prefix="gvp-mutants-") as file:
            file.truncate(mutants)
            begin = time.monotonic()
            outcome, self.cpu = self.run({}, variables={"GVP_MUTANTS_REACHED": file.name})
            self.wall = time.monotonic() - begin
            self.reached = {i for i, byte in enumerate(file.read()) if byte}
        return outcome


def runnable(session):
    """Whether any thread of the session's processes computes, or would, had it a processor."""
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and os.getsid(int(entry)) == session:
                for task in os.listdir(f"/proc/{entry}/task"):
                    if Path(f"/proc/{entry}/task/{task}/stat").read_text().rpartition(")")[2].split()[0] in "RD":
                        return True
        except OSError:
            pass  # it has ended meanwhile
    return False


def wait(process, seconds):
    """The exit code (SIGALRM's if it waited in vain for longer), and the processor time of it and all that it waited for.
    Only the time counts in which nothing of it could have run: what other work on the machine slows does not hang."""
    waited, pause = 0.0, 0.001
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid == 0 and waited > seconds:
            os.killpg(process.pid, signal.SIGKILL)
            _, _, usage = os.wait4(process.pid, 0)
            status = signal.SIGALRM
        elif pid == 0:
            begin = time.monotonic()
            time.sleep(pause)
            if pause == LONGEST_PAUSE and not runnable(process.pid):
                waited += time.monotonic() - begin
            pause = min(2 * pause, LONGEST_PAUSE)
            continue
        process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, usage.ru_utime + usage.ru_stime


def all_tests(build, graph):
    """Those that execute something built here."""
    listing = subprocess.run(
        ["ctest", "--test-dir", str(build), "--show-only=json-v1"], check=True, capture_output=True, text=True
    ).stdout
    tests = [Test(e, build, graph) for e in json.loads(listing)["tests"] if "command" in e]
    return [t for t in tests if t.executes]


class Measurements:
    """How tests end without any mutant, how long they take and what they reach; kept in `file`, and measured again when an
    executable changes."""

    def __init__(self, file, mutants, say):
        self.file, self.mutants, self.say = file, mutants, say
        self.known = json.loads(file.read_text()) if file.exists() else {}

    def take(self, tests):
        """Sets the tests' times and what they reach; returns those that pass."""
        passed = []
        saved = time.monotonic()
        for i, test in enumerate(tests):
            fingerprint = test.fingerprint()
            entry = self.known.get(test.name)
            if not entry or entry["fingerprint"] != fingerprint or entry["outcome"] == FAILED:
                self.say(f"what does it reach? {i + 1} of {len(tests)}: {test.name}")
                outcome = test.measure(self.mutants)
                entry = {"fingerprint": fingerprint, "outcome": outcome, "cpu": test.cpu, "wall": test.wall,
                         "reached": sorted(test.reached)}  # fmt: skip
                self.known[test.name] = entry
            if time.monotonic() > saved + 10 or i + 1 == len(tests):
                self.file.write_text(json.dumps(self.known))
                saved = time.monotonic()
            test.cpu, test.wall, test.reached = entry["cpu"], entry["wall"], set(entry["reached"])
            if entry["outcome"] == PASSED:
                passed.append(test)
            elif entry["outcome"] == FAILED:
                print(f"mutate: {test.name} fails in the copy of the sources without any mutant: left out", file=sys.stderr)
        return passed
