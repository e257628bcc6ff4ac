# SPDX-License-Identifier: Apache-2.0
"""All points' outcomes in one SQLite file."""

import json
import os
import sqlite3

from sweep import point as one

SCHEMA = """
CREATE TABLE points (id TEXT PRIMARY KEY, state TEXT NOT NULL, exit_code INTEGER, seconds REAL, error TEXT, output TEXT);
CREATE TABLE settings (point TEXT NOT NULL, axis TEXT NOT NULL, value, PRIMARY KEY (point, axis));
CREATE TABLE statistics (point TEXT NOT NULL, key TEXT NOT NULL, value, PRIMARY KEY (point, key));
CREATE TABLE kernels (point TEXT NOT NULL, device TEXT NOT NULL, number INTEGER NOT NULL, name TEXT, cycles INTEGER,
                      thread_instructions INTEGER, statistics TEXT NOT NULL, PRIMARY KEY (point, device, number));
"""


def load(path):
    """A JSON file; None if there is none that can be read."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def state_of(folder):
    """done, failed or missing, and what is known of it."""
    outcome = load(folder / one.OUTCOME)
    if outcome is not None:
        return "done", outcome
    failure = load(folder / one.FAILURE)
    return ("failed", failure) if failure is not None else ("missing", {})


def scalars(value, key=""):
    """Keys and values of all that is no list of kernels."""
    if isinstance(value, dict):
        for name, part in value.items():
            if name != "kernels":
                yield from scalars(part, f"{key}.{name}" if key else name)
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from scalars(part, f"{key}[{number}]")
    else:
        yield key, storable(value)


def storable(value):
    """SQLite's integers have 64 bits with a sign; others become texts."""
    return str(value) if isinstance(value, int) and not -(2**63) <= value < 2**63 else value


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def collect(directory, plan):
    """Writes directory/results.sqlite anew, all of it or nothing; returns its path."""
    path = directory / "results.sqlite"
    work = directory / f"results.{os.getpid()}.tmp"
    try:
        database = sqlite3.connect(work)
        try:
            with database:
                fill(database, directory, plan)
        finally:
            database.close()
        os.replace(work, path)
    finally:
        work.unlink(missing_ok=True)
    return path


def fill(database, directory, plan):
    database.executescript(SCHEMA)
    for point, entry in plan["points"].items():
        folder = directory / "points" / point
        state, known = state_of(folder)
        try:
            output = (folder / one.OUTPUT).read_text(encoding="utf-8", errors="replace")
        except OSError:
            output = None
        row = (point, state, known.get("exit_code"), known.get("seconds"), known.get("error"), output)
        database.execute("INSERT INTO points VALUES (?, ?, ?, ?, ?, ?)", row)
        settings = [(point, axis, storable(value)) for axis, value in entry["axes"].items()]
        database.executemany("INSERT INTO settings VALUES (?, ?, ?)", settings)
        statistics = load(folder / one.STATISTICS) if state == "done" else None
        if statistics is None:
            continue
        database.executemany("INSERT INTO statistics VALUES (?, ?, ?)", [(point, *item) for item in scalars(statistics)])
        for device, part in statistics.items():
            for number, kernel in enumerate(part.get("kernels", []) if isinstance(part, dict) else []):
                row = (point, device, number, kernel.get("name"), kernel.get("cycles"), kernel.get("thread_instructions"),
                       json.dumps(kernel))  # fmt: skip
                database.execute("INSERT INTO kernels VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    # One row a point, a column an axis.
    columns = "".join(
        f"(SELECT value FROM settings WHERE point = id AND axis = {literal(axis)}) AS {quoted(axis)}, " for axis in plan["axes"]
    )
    database.execute(
        f"CREATE VIEW results AS SELECT id, {columns}state, (SELECT sum(cycles) FROM kernels WHERE point = id) AS cycles, "
        "(SELECT sum(thread_instructions) FROM kernels WHERE point = id) AS thread_instructions, seconds, error FROM points"
    )


def literal(text):
    return "'" + text.replace("'", "''") + "'"
