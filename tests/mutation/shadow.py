# SPDX-License-Identifier: Apache-2.0
"""Builds a mutant alone: what a change of one source file reaches, beside an existing Ninja build, without touching it.

Ninja tells which outputs depend on the file and with which commands they are made; here the same
commands run with the paths that changed replaced by paths in a folder of the mutant's own.  So any
number of mutants can be built at a time from one build directory and one source tree."""

import os
import re
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path



class DoesNotCompile(Exception):
    pass


class Graph:
    """What Ninja knows of a build directory."""

    def __init__(self, build, source):
        self.build, self.source = Path(build), Path(source)
        self.inputs = {}  # of an output: what it is made of
        self.needs = {}  # of an output: what must exist before (the programs that a test runs)
        self.commands = {}
        self.executables = []
        text = (self.build / "build.ninja").read_text().replace("$\n", "")
        for line in re.findall(r"^build (.*)$", text, re.MULTILINE):
            self.add(line)
        self.dependencies = self.read_dependencies()

    def add(self, line):
        outputs, _, rest = line.replace("$:", "\0").partition(": ")
        rule, _, inputs = rest.partition(" ")
        if rule in ("phony", "CUSTOM_COMMAND"):
            return
        inputs, _, order_only = inputs.partition("||")
        names = [name for name in inputs.split() if name != "|"]
        if "EXECUTABLE_LINKER" in rule:
            self.executables.append(outputs.split()[0])
        for output in outputs.replace("|", " ").split():
            self.inputs.setdefault(output, names)
            self.needs.setdefault(output, order_only.split())

    def read_dependencies(self):
        """Of each object: the files of this source tree that it was compiled from."""
        listing = self.ninja("-t", "deps")
        result = {}
        for block in listing.split("\n\n"):
            lines = block.split("\n")
            if ": #deps" in lines[0]:
                paths = (os.path.normpath(self.build / line.strip()) for line in lines[1:])
                result[lines[0].partition(":")[0]] = {p for p in paths if p.startswith(f"{self.source}/")}
        return result

    def ninja(self, *arguments):
        return subprocess.run(
            ["ninja", "-C", str(self.build), *arguments], check=True, capture_output=True, text=True
        ).stdout

    def command(self, output):
        if output not in self.commands:
            self.commands[output] = self.ninja("--quiet", "-t", "commands", "-s", output).strip().split("\n")[-1]
        return self.commands[output]

    def objects_of(self, paths):
        """For each file an object that is compiled from it: its own, or one of a source beside that includes it."""
        sources = {}
        for output, inputs in self.inputs.items():
            for name in inputs:
                if output.endswith(".o") and name.startswith(f"{self.source}/"):
                    sources[name[len(str(self.source)) + 1 :]] = output
        found = set()
        for path in paths:
            if path in sources:
                found.add(sources[path])
                continue
            folder = os.path.dirname(path)
            beside = [s for s in sources if s.startswith(f"{folder}/") and f'"{path}"' in (self.source / s).read_text()]
            found.update(sources[s] for s in beside[:1])
        return sorted(found)

    def reached_by(self, path):
        """The objects compiled from a file, and all outputs that contain them."""
        absolute = str(self.source / path)
        objects = {output for output, files in self.dependencies.items() if absolute in files}
        reached = set(objects)
        users = {}
        for output, names in self.inputs.items():
            for name in names:
                users.setdefault(name, []).append(output)
        open_ = list(objects)
        while open_:
            for user in users.get(open_.pop(), ()):
                if user not in reached:
                    reached.add(user)
                    open_.append(user)
        return objects, reached


class Shadow:
    """The outputs of one mutant, made as they are asked for."""

    def __init__(self, graph, path, folder, pristine):
        self.graph, self.path, self.pristine = graph, path, pristine
        self.folder = Path(folder)  # of the mutant's outputs
        self.overlay = self.folder / "source"  # holds the changed file under its path in the tree
        self.objects, self.reached = graph.reached_by(path)
        self.made = {}  # output -> its path in this mutant: the same where nothing changed
        self.differs = False  # whether any object that was compiled differs from the original's

    def write(self, source):
        file = self.overlay / self.path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source)

    def make(self, output):
        """The path of an output for this mutant."""
        if output not in self.reached:
            return output
        if output not in self.made:
            if output in self.objects:
                self.made[output] = self.compile(output)
            else:
                self.made[output] = self.link(output)
        return self.made[output]

    def find_difference(self, objects):
        for output in objects:
            if not self.differs:
                self.make(output)

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def place(self, output):
        path = self.folder / output
        path.parent.mkdir(parents=True, exist_ok=True)
        return str(path)

    def link(self, output):
        made = {name: self.make(name) for name in self.graph.inputs[output] if name in self.reached}
        if all(name == path for name, path in made.items()):
            return output
        made[output] = self.place(output)
        # the command that makes it, without what follows (the discovery of its tests)
        parts = self.graph.command(output).split(" && ")
        last = max(i for i, part in enumerate(parts) if re.search(rf"(?<!\S){re.escape(output)}(?!\S)", part))
        command = " && ".join(part for part in parts[: last + 1] if not part.startswith("cd "))
        for name, path in made.items():
            command = re.sub(rf"(?<!\S){re.escape(name)}(?!\S)", path.replace("\\", r"\\"), command)
        self.run(command)
        return made[output]

    def compile(self, output):
        changed = self.place(output)
        original = self.pristine.path(self.path, output)
        self.compile_to(output, changed, self.overlay)
        if Path(changed).read_bytes() == original.read_bytes():
            os.unlink(changed)
            return output  # the build's own, whose switches are off
        self.differs = True
        return changed

    def compile_to(self, output, target, overlay):
        command = self.graph.command(output)
        command = re.sub(r"^\S*ccache ", "", command)
        command = re.sub(r" -M[TF] \S+| -MD| -Werror(?!=)", "", command)
        command = re.sub(r" -o \S+", lambda _: f" -o {target}", command)
        include = ""
        if overlay:
            # The file compiled moves to the overlay, too: what it includes is looked for beside it first.  The
            # names that __FILE__ puts into the code are the original's.
            source = Path(re.search(r" -c (\S+)", command).group(1))
            copy = overlay / source.relative_to(self.graph.source)
            if not copy.exists():
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, copy)
            command = command.replace(f" -c {source}", f" -c {copy}")
            include = f"-iquote {source.parent} -I{overlay} -ffile-prefix-map={overlay}={self.graph.source}"
        # before the first option, that is behind the compiler, whatever launches it
        self.run(re.sub(r" (?=-)", lambda _: f" {include} ", command, count=1))

    def run(self, command):
        with tempfile.TemporaryFile("w+") as errors:
            process = subprocess.Popen(command, shell=True, cwd=self.graph.build, stdout=errors, stderr=errors)
            process.wait()
            if process.returncode != 0:
                errors.seek(0)
                raise DoesNotCompile(errors.read())


class Pristine:
    """Objects with a file as it is without any switch: to see whether a mutant changes the code at all."""

    def __init__(self, graph, folder, read):
        self.graph, self.folder, self.read = graph, Path(folder), read
        self.lock = threading.Lock()
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, path, output):
        with self.lock:
            folder = self.folder / path.replace("/", "-")
            target = folder / output
            if not target.exists():
                shadow = Shadow(self.graph, path, folder, self)
                shadow.write(self.read(path))
                try:
                    shadow.compile_to(output, shadow.place(output), shadow.overlay)
                except DoesNotCompile as error:  # no mutant would, and all would seem to be none
                    raise RuntimeError(f"mutate: {path} does not compile alone, unchanged:\n{error}") from error
            return target
