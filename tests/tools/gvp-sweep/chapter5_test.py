#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""chapter5_test.py SOURCES: docs/chapter5.md is what docs/chapter5.csv gives, and that holds all points of the sweep."""

import csv
import itertools
import subprocess
import sys
import tomllib
import unittest
from pathlib import Path

SOURCES = Path(sys.argv.pop(1))
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCES / "tools/gvp-sweep"))
from chapter5_page import results  # noqa: E402
from chapter5_page.block_rams import block_rams  # noqa: E402
from chapter5_page.findings import findings  # noqa: E402


class Chapter5(unittest.TestCase):
    def setUp(self):
        self.text = (SOURCES / "docs/chapter5.csv").read_text(encoding="utf-8")
        self.rows = list(csv.DictReader(self.text.splitlines()))

    def test_page_is_what_the_data_give(self):
        subprocess.run([SOURCES / "tools/gvp-sweep/chapter5", "--check"], check=True)

    def test_data_have_each_point_of_the_sweeps_once(self):
        points = set()
        for name in ("chapter5", "chapter5_causes", "chapter5_banks", "chapter5_code"):
            with open(SOURCES / f"platform/sweeps/{name}.toml", "rb") as file:
                sweep = tomllib.load(file)
            axes = sweep["axes"]["gpgpu"]
            caches = [cache["name"] for cache in sweep["axes"]["cache"]]
            points |= set(itertools.product(axes.get("coalescing", ["none"]), axes.get("shared_banks", ["none"]),
                                            map(str, axes["sms"]), caches, [*results.BENCHMARKS, results.TURN]))  # fmt: skip
            words = sweep["set"]["arguments"].split()[1:]
            sizes = dict(zip(words[::2], words[1::2]))
            for row in self.rows:
                self.assertEqual(row["size"], sizes[row["benchmark"].split()[0]])
        rows = [tuple(row[column] for column in [*results.SETTING, "benchmark"]) for row in self.rows]
        self.assertEqual(sorted(rows), sorted(points))

    def test_block_rams_hold_lines_and_tags(self):
        # 128 lines of 1024 bits, a tag of 19 and a valid bit: 133632 bits, 3.6 block RAMs
        self.assertEqual(block_rams("L1 64 x 2", 1), 4)
        self.assertEqual(block_rams("L1 64 x 2", 2), 8)
        self.assertEqual(block_rams("L2 64 x 2", 2), 4)
        self.assertEqual(block_rams("L1 4 x 2", 1), 1)

    def test_a_kernel_counts_for_its_benchmark_and_adds_up(self):
        total = dict.fromkeys([*results.COUNTS, "energy_mj"], 0)
        cache = {"reads": 8, "read_hits": 6}
        caches = {"ports": [{"requests": 5, "stall_cycles": 3}] * 2, "l1": [cache] * 2, "instruction": [cache] * 2,
                  "constant": [cache], "texture": [cache] * 2, "below": {"bytes_read": 64}}  # fmt: skip
        for _ in range(2):
            results.add_kernel(total, 100, {"caches": caches, "energy_mj": 0.5})
        for column, sum_of_both in {"cycles": 200, "requests": 20, "stall_cycles": 12, "l1_reads": 32, "l1_read_hits": 24,
                                    "fetches": 32, "fetch_hits": 24, "constant_reads": 16, "constant_hits": 12, "texture_reads": 32,
                                    "bytes_read": 128, "l2_reads": 0, "energy_mj": 1.0}.items():  # fmt: skip
            self.assertEqual(total[column], sum_of_both, column)
        self.assertEqual(results.benchmark_of("kmeans_turn"), "kmn")

    def test_verdicts_follow_the_data(self):
        def verdicts(text):
            return {what: good for what, _, _, good in findings(results.Results(text))}

        def slower(row):
            """Every cache makes a benchmark three times slower."""
            cycles = int(row["cycles"]) * (3 if row["cache"].startswith("L") else 1)
            return ",".join(str(cycles) if column == "cycles" else row[column] for column in results.COLUMNS)

        changed = "\n".join([",".join(results.COLUMNS), *(slower(row) for row in self.rows)]) + "\n"
        before, after = verdicts(self.text), verdicts(changed)
        self.assertEqual(before.keys(), after.keys())
        self.assertTrue(before["1 SM: mm is faster with an L1D"])
        self.assertFalse(after["1 SM: mm is faster with an L1D"])
        self.assertFalse(after["1 SM: bs is the same with every L1D"])


if __name__ == "__main__":
    unittest.main()
