#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of ./dev mutate: which mutants it finds, and a whole run over the project in example/."""

import re
import shutil
import signal
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
import switches  # noqa: E402
import tree  # noqa: E402


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


# One place of each form: what is built with switches must do what each mutant compiled alone does.
EXPRESSIONS = r"""
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
namespace {
constexpr int kBase = 3, kStep = 2;
constexpr int twice(int a) { return a * 2 + kBase; }
struct Limits {
  static constexpr int kLimit = 4;
  int first = 1;
  bool open = true;
  int* place = nullptr;
};
int steps = 0;
void step() {
  if (++steps > 200) std::exit(3);
}
bool both(int a, int b, int c) { return a > 1 && (b < 3 || c == 2) && !(a == c); }
int kind(int a) {
  switch (a) {
    case 1:
      return 10;
    default:
      return -a + ~a;
  }
}
std::string name(int a) { return a < 2 ? std::string("x") + "y" : "z"; }
}  // namespace
int main() {
  Limits limits;
  std::vector<int> list{1, 2, 3};
  for (unsigned i = 0; i < list.size(); ++i) {
    step();
    list[i] += list[i] << 1;
    limits.first ^= list[i] % 3;
  }
  for (auto each = list.begin(); each != list.end();) {
    step();
    int old = *each++;
    if (old > Limits::kLimit) limits.first -= 1;
    else limits.first++;
  }
  while (limits.place != nullptr) step();
  if (const int n = twice(1); n >= 5 && limits.open) limits.first |= 8;
  int bits = 6 & limits.first | (1 << kStep);
  std::printf("%d %d %d\n", limits.first, bits, twice(bits));
  for (int a = 0; a <= 3; ++a)
    for (int b = 0; b <= 3; ++b) {
      step();
      std::printf("%d%d%s", both(a, b, a - b), kind(a), name(b).c_str());
    }
  return 0;
}
"""


class Switches(unittest.TestCase):
    def test_each_switched_mutant_does_what_it_does_alone(self):
        found = mutants.mutants_of("x.cpp", EXPRESSIONS)
        source = switches.Source(EXPRESSIONS)
        numbered = [(i, m, source.form(m)) for i, m in enumerate(found, 1)]
        text, refused = switches.switched(EXPRESSIONS, numbered)
        with tempfile.TemporaryDirectory(prefix="gvp-self-test-") as folder:
            folder = Path(folder)
            for name in ("switch.h", "switch_forms.h"):
                shutil.copy(here / name, folder / f"mutation_{name}")
            while True:
                (folder / "all.cpp").write_text(text)
                done = subprocess.run(["c++", "-std=c++17", "-w", "-I.", "all.cpp", "-o", "all"],
                                      cwd=folder, capture_output=True, text=True)  # fmt: skip
                if done.returncode == 0:
                    break
                numbered, changed = self.weaker(numbered, done.stderr)
                self.assertTrue(changed, done.stderr)
                text, refused = switches.switched(EXPRESSIONS, numbered)
            switched = [(n, m) for n, m, form in numbered if form != switches.ALONE and n not in refused]
            self.assertGreater(len(switched), 0.8 * len(found))
            (folder / "reached").write_bytes(bytes(len(found) + 1))
            subprocess.run([folder / "all"], env={"GVP_MUTANTS_REACHED": str(folder / "reached")}, check=True, capture_output=True)
            reached = (folder / "reached").read_bytes()
            run = [(n, m) for n, m in switched if reached[n]]  # not the label of a case: compiled alone
            alone = self.compiled_alone(folder, run)
            self.assertGreater(len(alone), 0.8 * len(run))
            for number, mutant in run:
                if number in alone:
                    self.assertEqual(self.outcome(folder / "all", number), self.outcome(folder / "alone", number), mutant)

    def test_an_error_behind_a_mutant_is_that_mutants(self):
        text = "int g(int);\n[[noreturn]] void f(int a) {\n  throw a +\n      1;\n}\nint g(int a) { return a; }\n"
        copy = tree.Tree("source", "tree", Path("none"), None)
        thrown = next(m for m in mutants.mutants_of("x.cpp", text) if m.after == ";")
        copy.mutants[7] = thrown
        log = "../x.cpp: In function 'void f(int)':\n../x.cpp:5:1: error: 'noreturn' function does return [-Werror]"
        self.assertEqual(copy.weaken(log, lambda path: text), {7})
        self.assertEqual(copy.form(7), switches.ALONE)

    def test_a_default_that_must_be_constant_is_found_by_its_class(self):
        text = "struct A {\n  int b = 1;\n};\n"
        copy = tree.Tree("source", "tree", Path("none"), None)
        copy.mutants = dict(enumerate(mutants.mutants_of("a.h", text), 1))
        self.assertTrue(copy.mutants)
        log = ("../t.cpp:2:13: error: 'constexpr A::A()' called in a constant expression\n"
               "../a.h:1:8: note: 'constexpr A::A()' is not usable as a 'constexpr' function because:\n"
               "../a.h:1:8: error: call to non-'constexpr' function")
        self.assertEqual(copy.weaken(log, lambda path: text), set(copy.mutants))
        self.assertEqual({copy.form(n) for n in copy.mutants}, {switches.CONSTEXPR})

    def compiled_alone(self, folder, numbered):
        """Builds a program with all mutants as they are, each in a namespace; the numbers of those that compile."""
        head, _, body = EXPRESSIONS.rpartition("#include <vector>\n")
        offset = len(EXPRESSIONS) - len(body)
        numbers = {n for n, _ in numbered}
        while True:
            text = head + "#include <vector>\n#include <map>\n"
            for number, mutant in numbered:
                if number in numbers:
                    changed = body[: mutant.start - offset] + mutant.text + body[mutant.end - offset :]
                    text += f'namespace m{number} {{\n#line 1 "m{number}"\n{changed.replace("int main", "int run")}\n}}\n'
            entries = "".join(f"{{{n}, m{n}::run}}," for n in sorted(numbers))
            text += f'int main() {{ return std::map<int, int (*)()>{{{entries}}}.at(std::atoi(std::getenv("GVP_MUTANT")))(); }}\n'
            (folder / "alone.cpp").write_text(text)
            done = subprocess.run(["c++", "-std=c++17", "-w", "-D_GLIBCXX_ASSERTIONS", "alone.cpp", "-o", "alone"],
                                  cwd=folder, capture_output=True, text=True)  # fmt: skip
            if done.returncode == 0:
                return numbers
            wrong = {int(n) for n in re.findall(r"^m(\d+):\d+:\d+: error", done.stderr, re.MULTILINE)}
            self.assertTrue(wrong & numbers, done.stderr)
            numbers -= wrong

    def weaker(self, numbered, errors):
        """As tree.py does it, for one file."""
        made = tree.Tree("/", "/nowhere", None, None)
        made.build, made.folder = Path("/x"), Path("/x")
        made.mutants = {n: m for n, m, _ in numbered}
        made.forms = {str(n): form for n, _, form in numbered}
        guilty = made.weaken(errors.replace("all.cpp", "x.cpp"), lambda path: EXPRESSIONS)
        return [(n, m, made.form(n)) for n, m, _ in numbered], guilty

    def outcome(self, program, number):
        done = subprocess.run(["timeout", "10", str(program)], env={"GVP_MUTANT": str(number), "PATH": "/bin:/usr/bin"},
                              capture_output=True)  # fmt: skip
        return done.returncode, done.stdout[:1000]

    def test_what_the_process_comes_by_is_noted(self):
        found = mutants.mutants_of("x.cpp", "int f(int a) {\n  if (a > 0) return 1;\n  return 2;\n}\nint main() { return f(1) - 1; }\n")
        numbered = [(i, m, switches.ORDINARY) for i, m in enumerate(found, 1)]
        text, _ = switches.switched("int f(int a) {\n  if (a > 0) return 1;\n  return 2;\n}\nint main() { return f(1) - 1; }\n", numbered)
        with tempfile.TemporaryDirectory(prefix="gvp-self-test-") as folder:
            folder = Path(folder)
            for name in ("switch.h", "switch_forms.h"):
                shutil.copy(here / name, folder / f"mutation_{name}")
            (folder / "x.cpp").write_text(text)
            subprocess.run(["c++", "-std=c++17", "-w", "-I.", "x.cpp", "-o", "x"], cwd=folder, check=True)
            (folder / "reached").write_bytes(bytes(len(found) + 1))
            subprocess.run([folder / "x"], env={"GVP_MUTANTS_REACHED": str(folder / "reached")}, check=True)
            reached = (folder / "reached").read_bytes()
        lines = {m.line for n, m, _ in numbered if reached[n]}
        self.assertEqual(lines, {2, 5})


class Limits(unittest.TestCase):
    def test_what_does_not_end_has_failed(self):
        with tempfile.TemporaryDirectory(prefix="gvp-self-test-") as folder:
            (Path(folder) / "build.ninja").touch()
            entry = {"name": "loop", "command": ["sh", "-c", "while :; do :; done"]}
            test = suite.Test(entry, folder, SimpleNamespace(inputs={}, needs={}))
            self.assertEqual(test.run({}, limit=0)[0], suite.FAILED)

    @staticmethod
    def status_of(command, seconds):
        process = subprocess.Popen(["sh", "-c", command], start_new_session=True)
        return suite.wait(process, seconds)[0]

    def test_what_waits_for_nothing_has_failed(self):
        self.assertEqual(self.status_of("sleep 600", 0.3), -signal.SIGALRM)
        self.assertEqual(self.status_of("sh -c 'sleep 600'; true", 0.3), -signal.SIGALRM)

    def test_what_computes_slowly_is_waited_for(self):
        computes = "i=0; while [ $i -lt 1000000 ]; do i=$((i + 1)); done"
        self.assertEqual(self.status_of(computes, 0.3), 0)
        self.assertEqual(self.status_of(f"sh -c '{computes}'; true", 0.3), 0)


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
        launcher = "-DCMAKE_CXX_COMPILER_LAUNCHER=/usr/bin/env"  # some have one, which need not be ccache
        for command in (["cmake", "-G", "Ninja", "-S", "../source", "-B", ".", launcher], ["ninja", "--quiet"]):
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
        self.mutate("counter/counter.cpp", "--seed", "2", "--table", str(page))
        rows = page.read_text().split("\n")
        self.assertTrue(any(row.startswith("| `counter/counter.cpp` | ") for row in rows))
        self.assertTrue(any(row.startswith("| `counter/counter.cpp`, seed 2 | ") for row in rows))
        self.assertIn("| `other` | 1 | 1 | 0 | 0 | 100 % |", rows)
        self.assertEqual((rows[0], rows[-2]), ("a", "b"))


if __name__ == "__main__":
    unittest.main()
