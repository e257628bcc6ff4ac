# SPDX-License-Identifier: Apache-2.0
"""The description of a sweep: a TOML file of axes, and the points that it makes."""

import itertools
import math
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from sweep.error import Error

MOST_POINTS = 100_000
# What may be set beside keys of the platform: options of gpgpu-vp.
FILES = ("firmware", "config")
WORDS = ("arguments", "timing")


@dataclass(frozen=True)
class Point:
    """What one run sets.  axes: name to what the point has on it; settings: keys and options to values."""

    axes: dict
    settings: dict


@dataclass(frozen=True)
class Description:
    path: Path
    simulator: str | None
    timeout_s: float
    axes: list  # names, in the file's order
    points: list


def read(path):
    """Reads and checks a description; Error names file, line, value and remedy."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Error(f"{path}: cannot be read: {error}") from None
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Error(f"{path}: {error}") from None
    return _Reader(path, text).description(tables)


class _Reader:
    def __init__(self, path, text):
        self.path = path
        self.lines = text.splitlines()

    def error(self, name, message):
        """At the first line that sets something of this name, as far as that can be found."""
        last = re.escape(name.split(".")[-1])
        pattern = re.compile(rf"""^\s*(\[+\s*)?([\w."'-]+\.)?["']?({re.escape(name)}|{last})["']?\s*[\].=]""")
        line = next((number for number, text in enumerate(self.lines, 1) if pattern.search(text)), None)
        return Error(f"{self.path}:{line}: {message}" if line else f"{self.path}: {message}")

    def description(self, tables):
        self.only(tables, "", ("sweep", "set", "axes"))
        for name in ("sweep", "set", "axes"):
            if not isinstance(tables.get(name, {}), dict):
                raise self.error(name, f"{name} is to be a table: [{name}]")
        sweep = tables.get("sweep", {})
        self.only(sweep, "sweep.", ("simulator", "timeout_s", *FILES))
        timeout = sweep.get("timeout_s", 3600)
        if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not 0 < timeout <= 1e7:
            raise self.error("timeout_s", f"timeout_s = {timeout} is not possible (seconds of a point, up to 10 million)")
        common = self.settings(tables.get("set", {}))
        for name in FILES:
            if name in sweep:
                if name in common:
                    raise self.error(name, f"{name} is set twice, in [sweep] and [set]")
                common[name] = self.setting(name, sweep[name])
        axes = self.axes(tables.get("axes", {}))
        simulator = sweep.get("simulator")
        if simulator is not None:
            simulator = self.file("simulator", simulator)
        return Description(self.path, simulator, float(timeout), list(axes), self.points(common, axes))

    def only(self, table, prefix, names):
        for name in table:
            if name not in names:
                raise self.error(name, f"unknown key {prefix}{name} (expected: {', '.join(names)})")

    def file(self, name, value):
        if not isinstance(value, str) or not value:
            raise self.error(name, f"{name} is to be the path of a file, from this one's folder")
        path = self.path.parent / value
        if not path.is_file():
            raise self.error(name, f"{name} = \"{value}\": there is no file {path}")
        return str(path.resolve())

    def setting(self, name, value):
        if name in FILES:
            return self.file(name, value)
        if name in WORDS and not isinstance(value, str):
            raise self.error(name, f"{name} is to be a text, not {value}")
        if isinstance(value, float) and not math.isfinite(value):
            raise self.error(name, f"{name} = {value} is not possible: no finite number")
        if not isinstance(value, (bool, int, float, str)):
            raise self.error(name, f"{name} = {value} is not possible (a text, a number, true or false)")
        return value

    def settings(self, table, prefix=""):
        """Dotted keys to values, of nested tables."""
        result = {}
        for name, value in table.items():
            parts = self.settings(value, f"{prefix}{name}.") if isinstance(value, dict) else {f"{prefix}{name}": value}
            for key, part in parts.items():
                if key in result:
                    raise self.error(key, f"{key} is set twice")
                result[key] = part if isinstance(value, dict) else self.setting(key, part)
        return result

    def axes(self, table, prefix=""):
        """Name of each axis to its places: pairs of a name and settings."""
        result = {}
        for name, value in table.items():
            axis = f"{prefix}{name}"
            parts = self.axes(value, f"{axis}.") if isinstance(value, dict) else {axis: self.places(axis, value)}
            for key, part in parts.items():
                if key in result:
                    raise self.error(key, f"the axis {key} is there twice")
                result[key] = part
        return result

    def places(self, axis, values):
        if not isinstance(values, list) or not values:
            raise self.error(axis, f"the axis {axis} is to be a list of values, or of tables: [[axes.{axis}]]")
        places = []
        for value in values:
            if isinstance(value, dict):
                settings = dict(value)
                name = settings.pop("name", None)
                if not isinstance(name, str) or not name:
                    raise self.error(axis, f"each table of the axis {axis} needs a name: name = \"...\"")
                places.append((name, self.settings(settings)))
            else:
                places.append((value, {axis: self.setting(axis, value)}))
        names = [repr(name) for name, _ in places]
        for name in names:
            if names.count(name) > 1:
                raise self.error(axis, f"the axis {axis} has {name} more than once")
        return places

    def points(self, common, axes):
        count = math.prod(len(places) for places in axes.values())
        if count > MOST_POINTS:
            raise Error(f"{self.path}: the axes make {count} points; {MOST_POINTS} are possible")
        owner = {key: "[set]" for key in common}
        for axis, places in axes.items():
            for key in {key for _, settings in places for key in settings}:
                if key in owner:
                    raise self.error(key, f"{key} is set by {owner[key]} and by the axis {axis}")
                owner[key] = f"the axis {axis}"
        points = []
        for combination in itertools.product(*axes.values()):
            settings = dict(common)
            for _, more in combination:
                settings.update(more)
            if "firmware" not in settings:
                raise Error(f"{self.path}: no firmware: set it in [sweep] or make it an axis")
            points.append(Point({axis: name for axis, (name, _) in zip(axes, combination)}, settings))
        return points
