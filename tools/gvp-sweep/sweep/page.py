# SPDX-License-Identifier: Apache-2.0
"""A page of plots of all points' results (page.html), which needs no network: heat maps over two axes, one
metric over an axis, and the points that no other one beats in cycles and in what they cost."""

import html
import json
import re
import sqlite3
from pathlib import Path

TEMPLATE = Path(__file__).parent / "page.html"
LIBRARY = Path("share/gpgpu-vp/gvp-sweep/echarts.min.js")  # from where bin is
# What a point costs, least is best: a metric's name, and the key of the statistics it is the sum over devices of.
COSTS = {"block RAMs": "block_rams", "LUTs": "luts", "flip-flops": "flip_flops", "DSPs": "dsps"}
ENERGY = "energy (mJ)"


def library(program):
    """Apache ECharts' text; None where it was not built."""
    path = program.parent.parent / LIBRARY
    return path.read_text(encoding="utf-8") if path.is_file() else None


def read(database):
    """What the page shows of results.sqlite: the axes, the points that are done with their metrics, the others."""
    axes = [row[0] for row in database.execute("SELECT DISTINCT axis FROM settings ORDER BY rowid")]
    points, others = [], []
    for name, state, error, seconds in database.execute("SELECT id, state, error, seconds FROM points ORDER BY rowid").fetchall():
        chosen = dict(database.execute("SELECT axis, value FROM settings WHERE point = ?", (name,)))
        where = [str(chosen.get(axis, "")) for axis in axes]
        if state == "done":
            points.append({"at": where, "metrics": metrics(database, name, seconds)})
        else:
            others.append({"at": where, "state": state, "error": error or ""})
    values = {axis: list(dict.fromkeys(p["at"][i] for p in points + others)) for i, axis in enumerate(axes)}
    rules = database.execute("SELECT DISTINCT value FROM statistics WHERE key LIKE '%.estimates.rules[%' ORDER BY value")
    return {"axes": axes, "values": values, "points": points, "others": others,
            "costs": [cost for cost in [*COSTS, ENERGY] if any(cost in p["metrics"] for p in points)],
            "rules": [row[0] for row in rules]}  # fmt: skip


def metrics(database, point, seconds):
    known = {}
    energy = 0.0
    for name, cycles, threads, text in database.execute(
        "SELECT name, cycles, thread_instructions, statistics FROM kernels WHERE point = ? ORDER BY device, number", (point,)
    ):
        for key, amount in (("cycles", cycles), ("thread instructions", threads), (f"cycles of {name}", cycles)):
            if amount is not None:
                known[key] = known.get(key, 0) + amount
        energy += json.loads(text).get("energy_mj", 0)
    if energy:
        known[ENERGY] = energy
    for metric, key in COSTS.items():
        query = "SELECT sum(value), count(*) FROM statistics WHERE point = ? AND key LIKE ?"
        total, count = database.execute(query, (point, f"%.estimates.{key}")).fetchone()
        if count:
            known[metric] = total
    if seconds is not None:
        known["seconds of real time"] = seconds
    return known


def make(data, title, plots):
    """The page's text.  plots: ECharts' text."""
    # within a script element, nothing may look like its end or like a comment
    text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    parts = {"title": html.escape(title), "echarts": plots, "data": text}
    # in one pass: data may hold what looks like a place
    return re.sub(r"\{\{(\w+)\}\}", lambda place: parts[place[1]], TEMPLATE.read_text(encoding="utf-8"))


def write(directory, path, program):
    """directory/page.html from its results.sqlite; the path, or None where the plotting library was not built."""
    plots = library(program)
    if plots is None:
        return None
    database = sqlite3.connect(path)
    try:
        text = make(read(database), directory.absolute().name, plots)
    finally:
        database.close()
    page = directory / "page.html"
    work = directory / "page.html.tmp"
    try:
        work.write_text(text, encoding="utf-8")
        work.replace(page)
    finally:
        work.unlink(missing_ok=True)
    return page
