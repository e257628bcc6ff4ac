#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""page_test.py SOURCES: what the page of a sweep shows of its results."""

import json
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCES = Path(sys.argv.pop(1))
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCES / "tools/gvp-sweep"))
from sweep import page, results  # noqa: E402


class Page(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="gvp_page_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def point(self, name, state, cycles=0, block_rams=0, error=None):
        folder = self.folder / "points" / name
        folder.mkdir(parents=True)
        known = {"exit_code": 0 if state == "done" else 1, "seconds": 1.5, "error": error}
        (folder / (results.one.OUTCOME if state == "done" else results.one.FAILURE)).write_text(json.dumps(known))
        kernels = [{"name": "a", "cycles": cycles - 1, "energy_mj": 0.5}, {"name": "b", "cycles": 1, "energy_mj": 0.25}]
        statistics = {"gpgpu": {"estimates": {"block_rams": block_rams, "rules": ["a rule"]}, "kernels": kernels}}
        (folder / results.one.STATISTICS).write_text(json.dumps(statistics))

    def data(self, points):
        plan = {"axes": ["gpgpu.sms", "cache"], "points": {name: {"axes": {"gpgpu.sms": sms, "cache": cache}, "settings": {}}
                                                              for name, sms, cache in points}}  # fmt: skip
        database = sqlite3.connect(results.collect(self.folder, plan))
        self.addCleanup(database.close)
        return page.read(database)

    def test_has_axes_metrics_and_what_is_missing(self):
        self.point("p", "done", 100, 4)
        self.point("q", "failed", error="it <broke>")
        data = self.data([("p", 1, "none"), ("q", 2, "L1")])
        self.assertEqual(data["axes"], ["gpgpu.sms", "cache"])
        self.assertEqual(data["values"], {"gpgpu.sms": ["1", "2"], "cache": ["none", "L1"]})
        self.assertEqual(data["points"], [{"at": ["1", "none"], "metrics": {
            "cycles": 100, "cycles of a": 99, "cycles of b": 1, "energy (mJ)": 0.75, "block RAMs": 4,
            "seconds of real time": 1.5}}])  # fmt: skip
        self.assertEqual(data["others"], [{"at": ["2", "L1"], "state": "failed", "error": "it <broke>"}])
        self.assertEqual(data["rules"], ["a rule"])
        self.assertEqual(data["costs"], ["block RAMs", "energy (mJ)"])

    def test_front_is_of_points_that_no_other_beats(self):
        node = shutil.which("node")
        if node is None:
            self.skipTest("there is no node")
        function = re.search(r"function front\(.*?\n}\n", page.TEMPLATE.read_text(encoding="utf-8"), re.S).group(0)
        points = [{"name": name, "metrics": {"cycles": cycles, "block RAMs": rams}} for name, cycles, rams in (
            ("fast", 10, 8), ("slow", 100, 1), ("beaten", 60, 4), ("middle", 50, 4), ("same", 50, 4), ("waste", 10, 9))]  # fmt: skip
        points.append({"name": "without cost", "metrics": {"cycles": 1}})
        script = f'{function}console.log(front({json.dumps(points)}, "block RAMs").map((p) => p.name).join(" "));'
        out = subprocess.run([node, "-e", script], check=True, capture_output=True, text=True).stdout
        self.assertEqual(out.split(), ["slow", "middle", "same", "fast"])

    def test_is_one_file_that_scripts_in_data_cannot_leave(self):
        self.point("p", "done", 100, 4)
        data = self.data([("p", 1, "</script><b>{{echarts}}")])
        text = page.make(data, "a & b", "/* the library */")
        self.assertNotIn("</script><b>", text)
        self.assertIn("<title>a &amp; b</title>", text)
        self.assertEqual(re.findall(r"(?:src|href)\s*=", text), [])
        self.assertNotIn("{{title}}", text)
        held = re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.S).group(1)
        self.assertEqual(json.loads(held), data)

    def test_script_is_one_that_node_reads(self):
        node = shutil.which("node")
        if node is None:
            self.skipTest("there is no node")
        script = re.findall(r"<script>(.*?)</script>", page.TEMPLATE.read_text(encoding="utf-8"), re.S)[-1]
        (self.folder / "script.js").write_text(script)
        subprocess.run([node, "--check", self.folder / "script.js"], check=True)


if __name__ == "__main__":
    unittest.main()
