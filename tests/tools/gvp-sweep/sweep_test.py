#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sweep_test.py BIN SOURCES: tests of gvp-sweep; 77 without Snakemake."""

import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

BIN, SOURCES = None, None

# Stands in for gpgpu-vp: notes its arguments, fails where a file fail-ARGUMENTS is, waits while there is a file
# slow, knows no key with "unknown" in it.
SIMULATOR = """#!/bin/sh
here=$(dirname "$0")
case "$*" in *--dump-config*)
  case "$*" in *unknown*) echo "gpgpu-vp: unknown key" >&2; exit 126 ;; esac
  exit 0 ;;
esac
while [ $# -gt 1 ]; do
  case $1 in --arguments) words=$2 ;; --stats) statistics=$2 ;; esac
  shift
done
echo "$words" >>"$here/calls"
while [ -e "$here/slow" ]; do sleep 0.05; done
if [ -e "$here/fail-$words" ]; then echo "it is broken"; exit 3; fi
echo "hello from $words"
cat >"$statistics" <<END
{"gpgpu": {"lanes": [1, 2.5, 18446744073709551615], "kernels": [{"name": "k", "cycles": 40}, {"name": "k", "cycles": 2}]}}
END
"""


class Sweep(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="gvp_sweep_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "fake").write_text(SIMULATOR)
        (self.folder / "fake").chmod(0o755)
        (self.folder / "a.elf").write_text("firmware")

    def describe(self, text):
        (self.folder / "s.toml").write_text(text)

    def describe_fake(self, count=4):
        words = ", ".join(f'"{i}"' for i in range(count))
        self.describe(f'[sweep]\nsimulator = "fake"\nfirmware = "a.elf"\n[axes]\narguments = [{words}]\n')

    def start(self, *options, **how):
        return subprocess.Popen([BIN / "gvp-sweep", "s.toml", "-j", "2", *options], cwd=self.folder, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how)  # fmt: skip

    def sweep(self, *options, **how):
        process = self.start(*options, **how)
        out, err = process.communicate(timeout=300)
        return process.returncode, out, err

    def calls(self):
        path = self.folder / "calls"
        return sorted(path.read_text().split()) if path.exists() else []

    def query(self, text):
        database = sqlite3.connect(self.folder / "s.sweep" / "results.sqlite")
        try:
            return database.execute(text).fetchall()
        finally:
            database.close()

    def wait_for(self, condition):
        deadline = time.monotonic() + 120
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def test_collects_what_each_run_of_the_platform_says(self):
        config = SOURCES / "platform/configs/flexgrip_chapter5.toml"
        firmware = SOURCES / "firmware/prebuilt/chapter5.elf"
        self.describe(f"""
            [sweep]
            firmware = "{firmware}"
            config = "{config}"
            [set]
            gpgpu.sps = 16
            [axes]
            arguments = ["ac 64", "tp 32"]
            [[axes.cache]]
            name = "none"
            [[axes.cache]]
            name = "4 KiB"
            gpgpu.l1.enabled = true
            gpgpu.l1.sets = 8
            """)
        code, out, err = self.sweep()
        self.assertEqual((code, err), (0, ""), out)
        self.assertIn("4 of 4 points done, 0 failed, 0 not run", out)
        if (BIN.parent / "share/gpgpu-vp/gvp-sweep/echarts.min.js").is_file():
            self.assertIn("s.sweep/page.html", out)
            self.assertIn('"cache": ["none", "4 KiB"]', (self.folder / "s.sweep/page.html").read_text(encoding="utf-8"))
        caches = {"none": [], "4 KiB": ["--set", "gpgpu.l1.enabled=true", "--set", "gpgpu.l1.sets=8"]}
        for arguments in ("ac 64", "tp 32"):
            for cache, options in caches.items():
                command = [BIN / "gpgpu-vp", "--quiet", "-c", config, "--set", "gpgpu.sps=16", *options, "--arguments", arguments,
                           "--stats", "direct.json", firmware]  # fmt: skip
                printed = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=True).stdout
                direct = json.loads((self.folder / "direct.json").read_text())
                kernels = direct["gpgpu"]["kernels"]
                point = f"(SELECT id FROM results WHERE arguments = '{arguments}' AND cache = '{cache}')"
                self.assertEqual(self.query(f"SELECT state, cycles FROM results WHERE id = {point}"),
                                 [("done", sum(kernel["cycles"] for kernel in kernels))])  # fmt: skip
                self.assertEqual(self.query(f"SELECT output FROM points WHERE id = {point}"), [(printed,)])
                self.assertEqual(self.query(f"SELECT value FROM statistics WHERE point = {point} AND key = 'ddr3.bytes'"),
                                 [(direct["ddr3"]["bytes"],)])  # fmt: skip
                statistics = self.query(f"SELECT statistics FROM kernels WHERE point = {point} ORDER BY number")
                self.assertEqual([json.loads(row[0]) for row in statistics], kernels)

    def test_runs_nothing_twice_and_what_is_new_alone(self):
        self.describe_fake(3)
        self.assertEqual(self.sweep()[0], 0)
        self.assertEqual(self.calls(), ["0", "1", "2"])
        self.assertEqual(self.sweep()[0], 0)
        self.assertEqual(self.calls(), ["0", "1", "2"])
        self.describe_fake(4)
        self.assertIn("missing arguments = 3", self.sweep("--list")[1])
        self.assertEqual(self.sweep()[0], 0)
        self.assertEqual(self.calls(), ["0", "1", "2", "3"])
        self.assertEqual(self.query("SELECT key, value FROM statistics WHERE key LIKE 'gpgpu%' GROUP BY key"),
                         [("gpgpu.lanes[0]", 1), ("gpgpu.lanes[1]", 2.5), ("gpgpu.lanes[2]", "18446744073709551615")])
        # other firmware is another experiment
        (self.folder / "a.elf").write_text("other firmware")
        self.assertEqual(self.sweep()[0], 0)
        self.assertEqual(len(self.calls()), 8)

    def test_a_point_that_fails_is_named_and_a_second_run_finishes_it(self):
        self.describe_fake()
        (self.folder / "fail-1").touch()
        code, out, err = self.sweep()
        self.assertEqual(code, 1)
        self.assertIn("3 of 4 points done, 1 failed, 0 not run", out)
        self.assertRegex(err, r"point [0-9a-f]{16} \(arguments = 1\) failed: exit code 3: it is broken")
        self.assertEqual(self.query("SELECT arguments, state, cycles FROM results ORDER BY arguments"),
                         [("0", "done", 42), ("1", "failed", None), ("2", "done", 42), ("3", "done", 42)])  # fmt: skip
        (self.folder / "fail-1").unlink()
        self.assertEqual(self.sweep()[::2], (0, ""))
        self.assertEqual(self.calls(), ["0", "1", "1", "2", "3"])
        self.assertEqual(self.query("SELECT count(*) FROM results WHERE state = 'done' AND cycles = 42"), [(4,)])

    def killed(self, kill):
        """Kills a sweep whose first points are done and whose others are under way; then goes on."""
        self.describe_fake(2)
        self.assertEqual(self.sweep()[0], 0)
        self.describe_fake(5)
        (self.folder / "slow").touch()
        process = self.start(start_new_session=True)
        self.wait_for(lambda: len(self.calls()) == 4)
        kill(process)
        process.communicate(timeout=60)
        (self.folder / "slow").unlink()
        code, out, err = self.sweep()
        self.assertEqual(code, 0, err)
        self.assertIn("5 of 5 points done", out)
        calls = self.calls()
        self.assertEqual((calls.count("0"), calls.count("1")), (1, 1))
        self.assertEqual(self.query("SELECT count(*) FROM results WHERE cycles = 42"), [(5,)])
        self.assertEqual(list((self.folder / "s.sweep" / "points").glob("*/attempt-*")), [])

    def test_goes_on_where_all_of_it_was_killed(self):
        self.killed(lambda process: os.killpg(process.pid, signal.SIGKILL))

    def test_goes_on_where_it_alone_was_killed(self):
        self.describe_fake(2)
        self.assertEqual(self.sweep()[0], 0)
        self.describe_fake(5)
        (self.folder / "slow").touch()
        process = self.start()
        self.wait_for(lambda: len(self.calls()) == 4)
        process.kill()
        process.wait()
        # the next one waits for the workflow, which ends what is under way, and no more
        said = self.folder / "said"
        with open(said, "w", encoding="utf-8") as err:
            following = subprocess.Popen([BIN / "gvp-sweep", "s.toml"], cwd=self.folder, stdout=subprocess.PIPE, stderr=err,
                                         stdin=subprocess.DEVNULL, text=True)  # fmt: skip
        self.wait_for(lambda: "waiting for its end" in said.read_text())
        (self.folder / "slow").unlink()
        process.communicate(timeout=60)
        out, _ = following.communicate(timeout=300)
        self.assertEqual(following.returncode, 0, said.read_text())
        self.assertIn("5 of 5 points done", out)
        self.assertEqual(self.calls(), ["0", "1", "2", "3", "4"])

    def test_an_interruption_ends_it_with_what_is_under_way(self):
        self.describe_fake()
        (self.folder / "slow").touch()
        process = self.start()
        self.wait_for(lambda: len(self.calls()) == 2)
        process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        (self.folder / "slow").unlink()
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 143, err)
        self.assertIn("not run", out)
        self.assertEqual(self.sweep()[0], 0)

    def test_a_point_that_hangs_fails(self):
        self.describe('[sweep]\nsimulator = "fake"\nfirmware = "a.elf"\ntimeout_s = 1\n[axes]\narguments = ["0"]\n')
        (self.folder / "slow").touch()
        code, _, err = self.sweep()
        (self.folder / "slow").unlink()
        self.assertEqual(code, 1)
        self.assertIn("(arguments = 0) failed: not done after 1 s (timeout_s)", err)

    def test_goes_on_after_files_could_not_grow(self):
        self.describe_fake(2)
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))  # noqa: E731
        code, out, err = self.sweep(preexec_fn=limit)  # too little for the results
        self.assertEqual(code, 1)
        self.assertRegex(out, "[0-2] of 2 points done, .*: no results$")
        self.assertIn("the same command goes on", err)
        self.assertNotIn("Traceback", err)
        code, out, err = self.sweep()
        self.assertEqual((code, err), (0, ""))
        self.assertIn("2 of 2 points done", out)

    def refused(self, text, why):
        self.describe(text)
        code, out, err = self.sweep()
        self.assertEqual((code, out), (126, ""), text)
        self.assertIn(why, err, text)
        self.assertNotIn("Traceback", err)

    def test_refuses_descriptions_with_a_reason(self):
        head = '[sweep]\nsimulator = "fake"\nfirmware = "a.elf"\n'
        for text, why in (
            ("[sweep", "s.toml: Expected"),
            (head + "jobs = 3\n", "s.toml:4: unknown key sweep.jobs (expected: simulator, timeout_s, firmware, config)"),
            ("sets = 1\n", "s.toml:1: unknown key sets (expected: sweep, set, axes)"),
            ("axes = 1\n", "s.toml:1: axes is to be a table"),
            (head + "timeout_s = -1\n", "s.toml:4: timeout_s = -1 is not possible"),
            ('[sweep]\nfirmware = "b.elf"\n', 's.toml:2: firmware = "b.elf": there is no file'),
            ('[sweep]\nsimulator = "fake"\n', "s.toml: no firmware"),
            (head + "[axes]\ngpgpu.sms = 1\n", "s.toml:5: the axis gpgpu.sms is to be a list"),
            (head + "[axes]\ngpgpu.sms = []\n", "s.toml:5: the axis gpgpu.sms is to be a list"),
            (head + "[axes]\ngpgpu.sms = [1, 1]\n", "s.toml:5: the axis gpgpu.sms has 1 more than once"),
            (head + "[axes]\ngpgpu.sms = [[1]]\n", "s.toml:5: gpgpu.sms = [1] is not possible"),
            (head + "[axes]\narguments = [1]\n", "s.toml:5: arguments is to be a text, not 1"),
            (head + "[axes]\nhost.clock_hz = [inf]\n", "s.toml:5: host.clock_hz = inf is not possible"),
            (head + "[[axes.cache]]\ngpgpu.sms = 1\n", "s.toml:4: each table of the axis cache needs a name"),
            (head + "[set]\ngpgpu.sms = 1\n[axes]\ngpgpu.sms = [1]\n", "gpgpu.sms is set by [set] and by the axis gpgpu.sms"),
            (head + '[[axes.c]]\nname = "a"\n[[axes.c]]\nname = "b"\n', "two points are the same: c = a and c = b"),
            (head + "[axes]\nunknown = [1, 2]\n", "s.toml: unknown = 1: gpgpu-vp: unknown key"),
            (head + "[axes]\n" + "".join(f"k{i} = [{', '.join(map(str, range(100)))}]\n" for i in range(3)), "1000000 points"),
        ):
            with self.subTest(text):
                self.refused(text, why)
        self.assertEqual(self.calls(), [])
        self.describe_fake()
        self.assertEqual(self.sweep("-j", "0")[0], 126)
        self.assertIn("is no program", self.sweep("--simulator", "/nowhere")[2])


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    SOURCES, BIN = Path(sys.argv.pop(2)), Path(sys.argv.pop(1))
    if shutil.which("snakemake") is None:
        print("no snakemake")
        sys.exit(77)
    unittest.main()
