#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of ./dev mutate: which mutants it finds, and a whole run over the project in example/."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

here = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(here))
import mutants  # noqa: E402
import suite  # noqa: E402


def after(line):
    """What becomes of a line in a function's body."""
    return [m.after for m in mutants.mutants_of("x.cpp", f"void f() {{\n{line}\n}}\n")]


class Mutants(unittest.TestCase):
    def test_operators_between_spaces(self):
        self.assertEqual(after("return a < b;"), ["return a <= b;", "return a >= b;"])
        self.assertEqual(after("std::vector<int> a(b);"), [])
        self.assertEqual(after("x->y();")[0:1], [";"])

    def test_integers_move_by_one_in_their_own_form(self):
        self.assertEqual(after("return 0xFFu;"), ["return 0x100u;", "return 0xfeu;"])
        self.assertEqual(after("return 1'000;"), ["return 1001;", "return 999;"])
        self.assertEqual(after("return 0;"), ["return 1;"])
        self.assertEqual(after("return 1.5;"), ["return (1.5 + 1);"])

    def test_conditions_are_negated_and_fixed(self):
        self.assertEqual(after("if (f(a)) return a;"),
                         ["if (!(f(a))) return a;", "if (false) return a;", "if (true) return a;"])  # fmt: skip
        self.assertIn("if (int n = g(); false) return a;", after("if (int n = g(); n) return a;"))

    def test_statements_are_deleted_declarations_not(self):
        self.assertIn(";", after("a = b;"))
        self.assertIn("if (a) ;", after("if (a) b(c);"))
        self.assertIn(";", after("f(a, {b, c});"))
        self.assertEqual(after("const Type* a = b;"), [])
        self.assertEqual(after("std::pair<int, int> a = b;"), [])
        self.assertEqual(after("return a;"), [])
        self.assertIn(";", after("return;"))

    def test_nothing_in_comments_strings_directives_and_static_assertions(self):
        for line in ('log("a < b");', "// a < b", "/* 1 + 2 */", 'static_assert(a < 2, "");', "\n#if A > 3\n#endif"):
            self.assertEqual([a for a in after(line) if a != ";"], [], line)

    def test_the_draw_depends_on_the_seed_and_survives_edits_elsewhere(self):
        text = "void f() {\n" + "".join(f"  x{i} = {i};\n" for i in range(50)) + "}\n"
        found = mutants.mutants_of("x.cpp", text)
        drawn = [m.after for m in mutants.sample_order(found, 1)]
        self.assertNotEqual(drawn, [m.after for m in mutants.sample_order(found, 2)])
        moved = mutants.mutants_of("x.cpp", "\n\n" + text)
        self.assertEqual(drawn, [m.after for m in mutants.sample_order(moved, 1)])


class Limits(unittest.TestCase):
    def test_what_does_not_end_has_failed(self):
        with tempfile.TemporaryDirectory(prefix="gvp-self-test-") as folder:
            (Path(folder) / "build.ninja").touch()
            entry = {"name": "loop", "command": ["sh", "-c", "while :; do :; done"]}
            test = suite.Test(entry, folder, SimpleNamespace(inputs={}, needs={}))
            self.assertEqual(test.run({}, limit=0), suite.FAILED)


class WholeRun(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.work = Path(tempfile.mkdtemp(prefix="gvp-self-test-"))
        cls.build = cls.work / "build"
        shutil.copytree(here / "example", cls.work / "source")
        for command in (["git", "init", "-q", "."], ["git", "add", "."]):
            subprocess.run(command, cwd=cls.work / "source", check=True)
        cls.build_example()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.work)

    @classmethod
    def build_example(cls):
        for command in (["cmake", "-G", "Ninja", "-S", "../source", "-B", "."], ["ninja", "--quiet"]):
            cls.build.mkdir(exist_ok=True)
            subprocess.run(command, cwd=cls.build, check=True, capture_output=True)

    def mutate(self, path, *options):
        command = [str(here / "run"), path, "--source", str(self.work / "source"), "--build", str(self.build),
                   "--sample", "0", *options]  # fmt: skip
        done = subprocess.run(command, cwd=self.work / "source", capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def log(self):
        return (self.build / "mutation/outcomes.jsonl").read_text()

    def test_survivors_are_those_that_no_test_notices(self):
        output = self.mutate("counter/counter.cpp")
        survivors = [line for line in output.split("\n") if line.startswith("+ ")]
        # how often it was asked nobody asks
        self.assertEqual(sorted(survivors), ["+ --asked_;", "+ ;"])
        self.assertIn("counter/counter.cpp:5\n- ++asked_;\n+ --asked_;", output)
        self.assertNotIn('"by": "other"', self.log())

        done = self.log()
        self.assertEqual(self.mutate("counter/counter.cpp"), output)
        self.assertEqual(self.log(), done)  # nothing was tried again

    def test_mutants_of_a_header_reach_all_that_include_it(self):
        output = self.mutate("counter/counter.h")
        self.assertIn("+ int asked_ = 1;", output)
        self.assertNotIn("+ int count_ = 1;", output)
        self.assertNotIn("kLimit = 4", output)

    def test_the_table_keeps_the_rows_of_other_modules(self):
        page = self.work / "page.md"
        page.write_text("a\n<!-- ./dev mutate PATH --table -->\n| h |\n|---|\n| `other` | 1 | 1 | 0 | 0 | 100 % |\n"
                        "<!-- end -->\nb\n")  # fmt: skip
        self.mutate("counter/counter.cpp", "--table", str(page))
        rows = page.read_text().split("\n")
        self.assertTrue(any(row.startswith("| `counter/counter.cpp` | ") for row in rows))
        self.assertIn("| `other` | 1 | 1 | 0 | 0 | 100 % |", rows)
        self.assertEqual((rows[0], rows[-2]), ("a", "b"))


if __name__ == "__main__":
    unittest.main()
