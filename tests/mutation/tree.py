# SPDX-License-Identifier: Apache-2.0
"""A copy of the sources with many mutants in it, each behind a switch, and its build.

A place that does not compile is rewritten in the next weaker form (switches.py), and at last left as it is:
its mutants are compiled alone."""

import hashlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import switches

HERE = Path(__file__).resolve().parent
RTL = (".sv", ".v", ".svh", ".vh", ".vhd")


def put(file, content):
    """Writes a file only where that changes it: what is built of it stays, otherwise."""
    if file.is_symlink() or not file.exists() or file.read_bytes() != content:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def link(file, target):
    """As the sources have it, path and all: Verilator writes its path into what it makes, which ccache then knows."""
    if not file.is_symlink() or os.readlink(file) != str(target):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        file.symlink_to(target)


class Tree:
    def __init__(self, source, folder, cache, say):
        self.source, self.folder, self.say = Path(source), Path(folder), say
        self.build = self.folder / "build"  # so that for ccache a file without mutants is the original
        self.cache = cache  # the CMakeCache.txt of the build that this one is like
        self.state_file = self.folder.parent / "mutants.json"
        state = json.loads(self.state_file.read_text()) if self.state_file.exists() else {}
        self.numbers = state.get("numbers", {})  # of a mutant's key; they stay, so that objects do
        self.forms = state.get("forms", {})
        self.mutants = {}  # number -> mutant: all that are in this tree
        self.log = self.folder.parent / "build.log"

    def add(self, mutant, key):
        number = self.numbers.setdefault(key, len(self.numbers) + 1)
        self.mutants[number] = mutant
        return number

    def size(self):
        return len(self.numbers) + 1

    def form(self, number):
        return self.forms.get(str(number), switches.ORDINARY)

    def set_form(self, number, form):
        self.forms[str(number)] = form

    def save(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        self.state_file.write_text(json.dumps({"numbers": self.numbers, "forms": self.forms}))

    def write(self):
        """All sources, those with mutants rewritten."""
        listing = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=self.source, capture_output=True, check=True,
        ).stdout.decode()  # fmt: skip
        files = {f for f in listing.split("\0") if f and (self.source / f).is_file()}
        of_file = {}
        for number, mutant in self.mutants.items():
            of_file.setdefault(mutant.path, []).append((number, mutant))
        for file in files:
            target = self.folder / file
            if file.endswith(RTL):
                link(target, self.source / file)
                continue
            content = (self.source / file).read_bytes()
            if file in of_file:
                content = self.rewritten(content.decode(), of_file[file]).encode()
            put(target, content)
            if os.access(self.source / file, os.X_OK):
                target.chmod(0o755)
        known = self.folder
        for root, folders, names in os.walk(known):
            if root == str(known) and "build" in folders:
                folders.remove("build")
            for name in names:
                path = Path(root) / name
                if str(path.relative_to(known)) not in files:
                    path.unlink()
        put(known / "mutation_switch.h", (HERE / "switch.h").read_bytes())
        put(known / "mutation_switch_forms.h", (HERE / "switch_forms.h").read_bytes())
        self.save()

    def rewritten(self, text, numbered):
        source = None
        for number, mutant in numbered:
            if str(number) not in self.forms:
                source = source or switches.Source(text)
                self.set_form(number, source.form(mutant))
        numbered = sorted((n, m, self.form(n)) for n, m in numbered)
        result, refused = switches.switched(text, numbered)
        for number in refused:
            self.set_form(number, switches.ALONE)
        return result

    def configure(self):
        if (self.build / "build.ninja").exists():
            return
        options = {}
        for line in self.cache.read_text().splitlines() if self.cache.exists() else ():
            found = re.match(r"(GVP_\w+|CMAKE_(?:BUILD_TYPE|C\w*_COMPILER(?:_LAUNCHER)?|\w+_FLAGS\w*)):\w+=(.+)", line)
            if found:
                options[found.group(1)] = found.group(2)
        # a sanitizer needs more address space than a test may have, and would kill every mutant
        options.pop("GVP_SANITIZE", None)
        options.update(GVP_TESTS="ON", GVP_BENCHMARKS="OFF")
        if shutil.which("mold"):
            options["CMAKE_EXE_LINKER_FLAGS"] = "-fuse-ld=mold"
        command = ["cmake", "-G", "Ninja", "-S", str(self.folder), "-B", str(self.build)]
        command += [f"-D{name}={value}" for name, value in options.items()]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"mutate: cmake fails in the copy of the sources:\n{done.stderr}")

    def ninja(self, targets, jobs):
        """The errors' text, or nothing."""
        with self.log.open("w") as log:
            process = subprocess.run(
                ["ninja", "-C", str(self.build), "-k", "0", f"-j{jobs}", *targets], stdout=log, stderr=log
            )
        return self.log.read_text(errors="replace") if process.returncode != 0 else ""

    def make(self, first, targets, jobs):
        """Builds the targets, those of `first` before the others: the objects that are most likely not to compile."""
        self.write()
        self.configure()
        stages = [first] if first else []
        for stage in [*stages, targets]:
            while True:
                present = len([n for n in self.mutants if self.form(n) != switches.ALONE])
                self.say(f"compiling {present} mutants at a time; {self.log} has the details")
                errors = self.ninja(stage, jobs)
                if not errors:
                    break
                if not self.weaken(errors):
                    raise SystemExit(f"mutate: the copy of the sources does not build for a reason that is no mutant's; see {self.log}")
                self.write()

    def weaken(self, log, read=None):
        """Moves the mutants that errors name to the next weaker form; whether there were any."""
        lines = {}
        for number, mutant in self.mutants.items():
            if self.form(number) != switches.ALONE:
                text = read(mutant.path) if read else (self.source / mutant.path).read_text()
                last = mutant.line + text.count("\n", mutant.start, mutant.end)
                for line in range(mutant.line, last + 1):
                    lines.setdefault((mutant.path, line), []).append(number)
        guilty = set()
        for block in blocks(log):
            text = "\n".join(block)
            named = re.findall(r"\bnumber = (\d+)", text)[:1] or re.findall(r"\bAs<(\d+)", text)
            found = {int(n) for n in named if int(n) in self.mutants}
            if not found:
                for line in block:  # the error's own place first, then those of its notes
                    place = self.place(line)
                    found |= set(lines.get(place, ()))
                    if found and line == block[0]:
                        break
            if not found:  # told at the end of what it is in, such as a function that must not return and does
                path, end = self.place(block[0])
                before = [line for other, line in lines if other == path and line < end]
                found = set(lines[path, max(before)]) if before else set()
            # Only what the compiler must be able to evaluate has a form that may do.
            constant = re.search(r"non-.?const|constant.expression|not (an? )?(integer |integral )?constant|not usable", text)
            if not found and constant:  # of a constructor that initialises members: told at its class
                files = {self.place(line)[0] for line in block}
                found = {n for n, m in self.mutants.items() if m.path in files and self.form(n) == switches.ORDINARY}
            for number in found - guilty:
                form = self.form(number)
                self.set_form(number, switches.WEAKER.get(form, switches.ALONE) if constant else switches.ALONE)
            guilty |= found
        return guilty

    def place(self, line):
        """The file, as seen from the tree, and the line that a message of the compiler is about."""
        found = re.match(r"(.*?):(\d+):(?:\d+:)?\s+(.*)", line)
        if not found:
            return "", 0
        return os.path.relpath(os.path.normpath(self.build / found.group(1)), self.folder), int(found.group(2))


def blocks(log):
    """The compiler's messages: each error with what leads to it and its notes."""
    result, lead = [], []
    for line in log.split("\n"):
        if re.search(r": (fatal )?error: ", line):
            result.append([line, *lead])
            lead = []
        elif re.search(r"(In file included|In instantiation|required from|In function|In member function)", line):
            lead.append(line)
            if result and "required from" in line:
                result[-1].append(line)
        elif re.match(r"\S+:\d+:(\d+:)? ", line) and result:
            result[-1].append(line)
        elif line.startswith(("FAILED:", "[")):
            lead = []
    return result


def digest(*parts):
    state = hashlib.sha256()
    for part in parts:
        state.update(part if isinstance(part, bytes) else str(part).encode())
    return state.hexdigest()
