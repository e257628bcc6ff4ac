# SPDX-License-Identifier: Apache-2.0
"""One point of a sweep: how it is told from others, its command, its run."""

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from sweep.description import FILES

OUTCOME = "outcome.json"  # of a point that is done; written last, in one step
FAILURE = "failure.json"  # why the last attempt did not get there
OUTPUT = "output.txt"
STATISTICS = "statistics.json"


def hash_of_file(path, known={}):  # noqa: B006: the same files come in every point
    if path not in known:
        with open(path, "rb") as file:
            known[path] = hashlib.file_digest(file, "sha256").hexdigest()
    return known[path]


def identity(settings, simulator):
    """The same for runs that must have the same outcome: made of all that goes into one, files by their
    contents, the simulator among them."""
    inputs = {key: hash_of_file(value) if key in FILES else value for key, value in settings.items()}
    text = json.dumps({"simulator": hash_of_file(simulator), "settings": inputs}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def value_text(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def options(settings):
    """Of gpgpu-vp, without the firmware."""
    result = []
    if "config" in settings:
        result += ["--config", settings["config"]]
    for key, value in settings.items():
        if key not in ("config", "firmware", "arguments", "timing"):
            result += ["--set", f"{key}={value_text(value)}"]
    if "timing" in settings:
        result += ["--timing", settings["timing"]]
    if "arguments" in settings:
        result += ["--arguments", settings["arguments"]]
    return result


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "no output"


def run(directory, point, plan):
    """Runs one point into directory/points/POINT; returns 0 and leaves an OUTCOME, or 1 and a FAILURE."""
    folder = Path(directory) / "points" / point
    entry = plan["points"][point]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / FAILURE).unlink(missing_ok=True)
        # a folder of its own: what a killed attempt has left running disturbs nothing
        with tempfile.TemporaryDirectory(dir=folder, prefix="attempt-") as name:
            return attempt(folder, Path(name), entry["settings"], plan)
    except OSError as error:
        fail(folder, {"error": f"{error}"})
        return 1


def attempt(folder, work, settings, plan):
    command = [plan["simulator"], "--quiet", "--stats", STATISTICS, *options(settings), settings["firmware"]]
    begin = time.monotonic()
    code, error = None, ""
    with open(work / OUTPUT, "wb") as output:
        try:
            done = subprocess.run(command, cwd=work, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                  timeout=plan["timeout_s"], check=False)  # fmt: skip
            code = done.returncode
        except subprocess.TimeoutExpired:
            error = f"not done after {plan['timeout_s']:g} s (timeout_s)"
    seconds = time.monotonic() - begin
    text = (work / OUTPUT).read_text(encoding="utf-8", errors="replace")
    if code not in (0, None):
        error = f"exit code {code}: {last_line(text)}"
    if not error:
        try:
            with open(work / STATISTICS, encoding="utf-8") as file:
                json.load(file)
        except (OSError, ValueError) as problem:
            error = f"no statistics: {problem}"
    os.replace(work / OUTPUT, folder / OUTPUT)
    if error:
        fail(folder, {"exit_code": code, "seconds": seconds, "error": error})
        return 1
    os.replace(work / STATISTICS, folder / STATISTICS)
    write(folder / OUTCOME, {"exit_code": code, "seconds": seconds})
    return 0


def fail(folder, why):
    try:
        write(folder / FAILURE, why)
    except OSError:
        pass  # a full disk, say; the point has no outcome all the same


def write(path, value):
    """A JSON file, all of it or nothing."""
    handle, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(value, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def clean(folder):
    """Takes away what killed attempts have left."""
    for left in folder.glob("attempt-*"):
        shutil.rmtree(left, ignore_errors=True)
