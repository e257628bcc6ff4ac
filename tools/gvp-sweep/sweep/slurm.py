# SPDX-License-Identifier: Apache-2.0
"""Points as jobs of Slurm, submitted by Snakemake (its --cluster options)."""

import hashlib
import shlex
import shutil
import subprocess
import time

from sweep.error import Error

# scontrol(1), JOB STATE CODES: those in which a job may still come to an end.
UNDER_WAY = ("PENDING", "CONFIGURING", "RUNNING", "COMPLETING", "SUSPENDED", "REQUEUED", "REQUEUE_HOLD", "RESIZING",
             "SIGNALING", "STAGE_OUT", "STOPPED")  # fmt: skip
LEFT_S = 60  # for what a killed sweep has left to end


def check():
    for program in ("sbatch", "scontrol", "squeue", "scancel"):
        if shutil.which(program) is None:
            raise Error(f"{program} is not there, which --slurm needs (Debian package slurm-client)")
    done = subprocess.run(["squeue", "--noheader"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Error(f"Slurm does not answer: {done.stderr.strip()}")


def job_name(directory):
    """The same for all sweeps of a directory, and for no other."""
    return "gvp-sweep-" + hashlib.sha256(str(directory.resolve()).encode()).hexdigest()[:12]


def end_what_is_left(directory):
    """A sweep that was killed cannot have cancelled its jobs."""
    name = job_name(directory)
    subprocess.run(["scancel", "--me", "--name", name], capture_output=True, check=False)
    deadline = time.monotonic() + LEFT_S
    while time.monotonic() < deadline:
        left = subprocess.run(["squeue", "--me", "--noheader", "--name", name, "--format", "%i"], capture_output=True,
                              text=True, check=False)  # fmt: skip
        if left.returncode == 0 and not left.stdout.strip():
            return
        time.sleep(0.2)
    raise Error(f"jobs of an earlier sweep in {directory} do not end: squeue --name {name}")


def options(directory, jobs, more, runner):
    """Of Snakemake: so many jobs at a time, submitted with these options more."""
    submit = ["sbatch", "--parsable", "--job-name", job_name(directory), "--output", "/dev/null", *shlex.split(more)]
    return ["--jobs", str(jobs), "--cluster", shlex.join(submit), "--cluster-status", f"{shlex.quote(str(runner))} --job-status",
            "--cluster-cancel", "scancel", "--latency-wait", "60", "--max-status-checks-per-second", "5"]  # fmt: skip


def status(job):
    """What Snakemake wants to know of a job: running, success or failed."""
    done = subprocess.run(["scontrol", "--oneliner", "show", "job", job], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        # Slurm has forgotten it, so it has ended (or cannot be asked): its outcome says how.
        return "success" if "Invalid job id" in done.stderr else "running"
    state = dict(part.split("=", 1) for part in done.stdout.split() if "=" in part).get("JobState")
    if state in UNDER_WAY:
        return "running"
    return "success" if state == "COMPLETED" else "failed"
