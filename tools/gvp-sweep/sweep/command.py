# SPDX-License-Identifier: Apache-2.0
"""gvp-sweep's command line."""

import argparse
import ctypes
import fcntl
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

from sweep import description, page, point, results, slurm
from sweep.error import Error

PLAN = "plan.json"
PR_SET_PDEATHSIG = 1  # <sys/prctl.h>
MOST_NAMED = 50
SLURM_JOBS = 100  # at a time: the cluster's own limits are its scheduler's matter


def main(usage, program):
    try:
        return command(usage, program)
    except Error as error:
        print(f"gvp-sweep: {error}", file=sys.stderr)
        return 126
    except (OSError, sqlite3.Error) as error:
        print(f"gvp-sweep: {error}; what is done stays, and the same command goes on", file=sys.stderr)
        return 1


def command(usage, program):
    parser = argparse.ArgumentParser(prog="gvp-sweep", description=usage, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("sweep", nargs="?", type=Path, metavar="SWEEP.toml", help="the axes")
    parser.add_argument("-o", "--output", type=Path, metavar="DIRECTORY", help="of the results (default: SWEEP.sweep)")
    parser.add_argument("-j", "--jobs", type=int, metavar="N", help="points at a time (default: all cores; 100 with --slurm)")
    parser.add_argument("--slurm", nargs="?", const="", metavar="OPTIONS",
                        help="run points as jobs of Slurm; OPTIONS are sbatch's (--slurm='--partition=p --mem=1G')")  # fmt: skip
    parser.add_argument("--simulator", metavar="FILE", help="gpgpu-vp (default: the one beside gvp-sweep)")
    parser.add_argument("--list", action="store_true", help="print the points and how they stand; run nothing")
    parser.add_argument("--point", help=argparse.SUPPRESS)  # for the workflow
    parser.add_argument("--job-status", metavar="JOB", help=argparse.SUPPRESS)  # for the workflow
    arguments = parser.parse_args()
    if arguments.job_status:
        print(slurm.status(arguments.job_status))
        return 0
    if arguments.point:
        with open(PLAN, encoding="utf-8") as file:
            return point.run(".", arguments.point, json.load(file))
    if arguments.sweep is None:
        raise Error("no description; expected: gvp-sweep SWEEP.toml (--help)")
    jobs = arguments.jobs
    if jobs is None:
        jobs = os.cpu_count() if arguments.slurm is None else SLURM_JOBS
    if jobs < 1:
        raise Error(f"--jobs {jobs} is not possible (1 or more)")
    described = description.read(arguments.sweep)
    simulator = find_simulator(arguments.simulator or described.simulator, program)
    plan = make_plan(described, simulator, program)
    directory = arguments.output or Path(arguments.sweep.stem + ".sweep")
    if arguments.list:
        for name, entry in plan["points"].items():
            print(name, results.state_of(directory / "points" / name)[0], described_axes(entry))
        return 0
    check_settings(described, simulator)
    snakemake = shutil.which("snakemake")
    if snakemake is None:
        raise Error("snakemake is not there (Debian package snakemake)")
    if arguments.slurm is not None:
        slurm.check()
    return sweep(directory, plan, jobs, arguments.slurm, snakemake)


def find_simulator(given, program):
    beside = program.parent / "gpgpu-vp"
    name = given or (str(beside) if beside.is_file() else "gpgpu-vp")
    found = shutil.which(name)
    if found is None:
        raise Error(f"{name} is no program that can be run; --simulator FILE names one")
    return str(Path(found).resolve())


def make_plan(described, simulator, program):
    points = {}
    for entry in described.points:
        name = point.identity(entry.settings, simulator)
        if name in points:
            raise Error(f"{described.path}: two points are the same: {described_axes(points[name])} and "
                        f"{described_axes({'axes': entry.axes})}")  # fmt: skip
        points[name] = {"axes": entry.axes, "settings": entry.settings}
    return {"simulator": simulator, "runner": str(program), "timeout_s": described.timeout_s, "axes": described.axes,
            "points": points}  # fmt: skip


def described_axes(entry):
    return ", ".join(f"{axis} = {point.value_text(value)}" for axis, value in entry["axes"].items()) or "the only point"


def check_settings(described, simulator):
    """Each value of each key is one that gpgpu-vp accepts, at least by itself; what does not go together fails
    as a point."""
    seen = set()
    for entry in described.points:
        for key, value in entry.settings.items():
            if key in ("arguments", "firmware") or (key, repr(value)) in seen:
                continue
            seen.add((key, repr(value)))
            done = subprocess.run([simulator, *point.options({key: value}), "--dump-config"], stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, errors="replace", check=False)  # fmt: skip
            if done.returncode == 126:
                raise Error(f"{described.path}: {key} = {point.value_text(value)}: {point.last_line(done.stderr)}")


def sweep(directory, plan, jobs, cluster, snakemake):
    directory.mkdir(parents=True, exist_ok=True)
    with open(directory / "lock", "w", encoding="utf-8") as lock:
        take(lock, directory)
        if cluster is not None:
            slurm.end_what_is_left(directory)
        for name in plan["points"]:
            point.clean(directory / "points" / name)
        point.write(directory / PLAN, plan)
        where = ["--cores", str(jobs)] if cluster is None else slurm.options(directory, jobs, cluster, plan["runner"])
        interrupted = run_workflow(directory, where, snakemake, lock)
        database, plots, problem = None, None, None
        try:
            database = results.collect(directory, plan)
            plots = page.write(directory, database, Path(plan["runner"]))
        except (OSError, sqlite3.Error) as error:  # a full disk: say first what is there and what is not
            problem = error
        bad = report(directory, plan, database, plots, problem)
        if problem is not None:
            raise problem
        return interrupted or bad


def take(lock, directory):
    """Waits until no other sweep works in this directory.  A sweep that is killed gives the lock back when its
    workflow has ended, too."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print(f"gvp-sweep: another sweep is at work in {directory}; waiting for its end", file=sys.stderr)
        fcntl.flock(lock, fcntl.LOCK_EX)


def run_workflow(directory, where, snakemake, lock):
    """Runs what has no outcome.  Returns 0, or the exit code of an interruption."""
    library = ctypes.CDLL(None)
    options = ["--snakefile", str(Path(__file__).parent / "Snakefile"), "--configfile", PLAN, *where,
               "--keep-going", "--rerun-incomplete", "--rerun-triggers", "mtime", "--nolock", "--nocolor"]  # fmt: skip
    # our lock is what keeps sweeps apart, as Snakemake's would outlive a kill
    with open(directory / "snakemake.log", "ab") as log:
        workflow = subprocess.Popen([snakemake, *options], cwd=directory, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                    pass_fds=(lock.fileno(),),
                                    preexec_fn=lambda: library.prctl(PR_SET_PDEATHSIG, signal.SIGTERM))  # fmt: skip

        def stop(number, _frame):
            workflow.send_signal(number)
            stop.number = number

        stop.number = 0
        before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
        workflow.wait()
        for number, handler in before.items():
            signal.signal(number, handler)
        return 128 + stop.number if stop.number else 0


def report(directory, plan, database, plots, problem):
    bad = 0
    states = {"done": 0, "failed": 0, "missing": 0}
    for name, entry in plan["points"].items():
        folder = directory / "points" / name
        state, known = results.state_of(folder)
        states[state] += 1
        if state == "done":
            continue
        bad += 1
        if bad > MOST_NAMED:
            continue
        why = f"failed: {known.get('error')}; {folder / point.OUTPUT}" if state == "failed" else "was not run"
        print(f"gvp-sweep: point {name} ({described_axes(entry)}) {why}", file=sys.stderr)
    if bad > MOST_NAMED:
        print(f"gvp-sweep: and {bad - MOST_NAMED} more; --list names all", file=sys.stderr)
    print(f"{states['done']} of {len(plan['points'])} points done, {states['failed']} failed, "
          f"{states['missing']} not run: {database or 'no results'}{f', {plots}' if plots else ''}")  # fmt: skip
    if plots is None and problem is None:
        print("No page of plots: Apache ECharts was not there when this was built (npm).")
    if states["missing"] and not states["failed"]:
        print(f"gvp-sweep: {directory / 'snakemake.log'} says why", file=sys.stderr)
    return 1 if bad else 0
