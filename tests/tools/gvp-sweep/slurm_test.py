#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""slurm_test.py BIN: gvp-sweep --slurm on a real Slurm of one node, which is started and ended here; 77 without Slurm."""

import getpass
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

BIN = None
# of Debian's packages munge, slurmctld, slurmd, slurm-client; daemons are beyond the path of users
PATH = os.environ["PATH"] + ":/usr/sbin:/sbin"
NEEDED = ("snakemake", "munged", "slurmctld", "slurmd", "sbatch")

CONFIGURATION = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={node}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CredType=cred/munge
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,batch_sched_delay=0
ReturnToService=2
KillWait=1
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""

# Stands in for gpgpu-vp: notes that it has run, in which job; waits while there is a file slow.
SIMULATOR = """#!/bin/sh
here=$(dirname "$0")
case "$*" in *--dump-config*) exit 0 ;; esac
while [ $# -gt 1 ]; do
  case $1 in --arguments) words=$2 ;; --stats) statistics=$2 ;; esac
  shift
done
echo "$words ${SLURM_JOB_ID:-none}" >>"$here/calls"
while [ -e "$here/slow" ]; do sleep 0.05; done
if [ -e "$here/fail-$words" ]; then echo "it is broken"; exit 3; fi
echo '{"gpgpu": {"kernels": [{"name": "k", "cycles": 42}]}}' >"$statistics"
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


class Slurm:
    """One node: munged, slurmctld, slurmd, in a folder of their own."""

    def __init__(self, folder):
        self.folder = folder
        self.daemons = []
        self.environment = dict(os.environ, PATH=PATH, SLURM_CONF=str(folder / "slurm.conf"))
        for name in ("state", "spool"):
            (folder / name).mkdir()
        key = folder / "key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        controller, node = free_ports(2)
        (folder / "slurm.conf").write_text(
            CONFIGURATION.format(folder=folder, host=socket.gethostname().split(".")[0], user=getpass.getuser(),
                                 controller=controller, node=node, cores=os.cpu_count())  # fmt: skip
        )
        (folder / "cgroup.conf").touch()

    def begin(self):
        here = self.folder
        self.start("munged", "--foreground", "--force", f"--key-file={here}/key", f"--socket={here}/munge.sock",
                   f"--pid-file={here}/munge.pid", f"--log-file={here}/munge.log", f"--seed-file={here}/munge.seed")  # fmt: skip
        self.wait_for(lambda: (here / "munge.sock").exists(), "munged")
        self.start("slurmctld", "-D", "-f", f"{here}/slurm.conf")
        self.start("slurmd", "-D", "-f", f"{here}/slurm.conf")
        self.wait_for(lambda: "idle" in self.ask("sinfo", "--noheader", "--format", "%t"), "the node")

    def start(self, *command):
        with open(self.folder / f"{command[0]}.out", "wb") as output:
            self.daemons.append(subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=output,
                                                 stderr=output))  # fmt: skip

    def ask(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False).stdout

    def wait_for(self, condition, what):
        deadline = time.monotonic() + 90
        while not condition():
            if time.monotonic() > deadline or any(daemon.poll() is not None for daemon in self.daemons):
                said = "\n".join(path.read_text(errors="replace")[-2000:] for path in sorted(self.folder.glob("*.out")))
                raise AssertionError(f"{what} does not come up:\n{said}")
            time.sleep(0.1)

    def end(self):
        self.ask("scancel", "--me")
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(timeout=30)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()


class SlurmSweep(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Path(tempfile.mkdtemp(prefix="gvp_slurm_"))
        cls.addClassCleanup(shutil.rmtree, cls.cluster, ignore_errors=True)
        cls.slurm = Slurm(cls.cluster)
        cls.addClassCleanup(cls.slurm.end)
        cls.slurm.begin()

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="gvp_sweep_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "fake").write_text(SIMULATOR)
        (self.folder / "fake").chmod(0o755)
        (self.folder / "a.elf").write_text("firmware")
        (self.folder / "s.toml").write_text('[sweep]\nsimulator = "fake"\nfirmware = "a.elf"\n[axes]\narguments = ["0", "1", "2"]\n')

    def start(self, *options):
        return subprocess.Popen([BIN / "gvp-sweep", "s.toml", *options], cwd=self.folder, env=self.slurm.environment,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                start_new_session=True)  # fmt: skip

    def sweep(self, *options):
        process = self.start(*options)
        out, err = process.communicate(timeout=500)
        return process.returncode, out, err

    def calls(self):
        path = self.folder / "calls"
        return sorted(path.read_text().splitlines()) if path.exists() else []

    def wait_for(self, condition):
        deadline = time.monotonic() + 300
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)

    def test_each_point_is_a_job_and_one_that_fails_is_run_again(self):
        (self.folder / "fail-1").touch()
        code, out, err = self.sweep("--slurm=--time=60")
        self.assertEqual(code, 1, err)
        self.assertIn("2 of 3 points done, 1 failed, 0 not run", out)
        self.assertIn("(arguments = 1) failed: exit code 3: it is broken", err)
        jobs = [call.split()[1] for call in self.calls()]
        self.assertNotIn("none", jobs)
        self.assertEqual(len(set(jobs)), 3)
        (self.folder / "fail-1").unlink()
        self.assertEqual(self.sweep("--slurm")[0], 0)
        self.assertEqual([call.split()[0] for call in self.calls()], ["0", "1", "1", "2"])
        database = sqlite3.connect(self.folder / "s.sweep" / "results.sqlite")
        self.assertEqual(database.execute("SELECT count(*) FROM results WHERE cycles = 42").fetchall(), [(3,)])
        database.close()

    def test_goes_on_where_all_of_it_was_killed_and_leaves_no_jobs(self):
        (self.folder / "slow").touch()
        process = self.start("--slurm")
        self.wait_for(self.calls)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=60)
        self.assertIn("gvp-sweep-", self.slurm.ask("squeue", "--noheader", "--format", "%j"))
        following = self.start("--slurm")
        self.wait_for(lambda: len({call.split()[1] for call in self.calls()}) > 1)  # not the killed one's
        (self.folder / "slow").unlink()
        out, err = following.communicate(timeout=500)
        self.assertEqual(following.returncode, 0, err)
        self.assertIn("3 of 3 points done", out)
        self.assertEqual(self.slurm.ask("squeue", "--noheader", "--states", "PENDING,RUNNING"), "")

    def test_says_so_when_slurm_does_not_answer(self):
        done = subprocess.run([BIN / "gvp-sweep", "s.toml", "--slurm"], cwd=self.folder, capture_output=True, text=True, check=False,
                              env=dict(self.slurm.environment, SLURM_CONF=str(self.folder / "none.conf")))  # fmt: skip
        self.assertEqual((done.returncode, done.stdout), (126, ""))
        self.assertIn("Slurm does not answer", done.stderr)
        self.assertEqual(self.calls(), [])


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    BIN = Path(sys.argv.pop(1))
    missing = [program for program in NEEDED if shutil.which(program, path=PATH) is None]
    if missing:
        print(f"not there: {', '.join(missing)} (Debian packages snakemake, munge, slurmctld, slurmd, slurm-client)")
        sys.exit(77)
    unittest.main()
