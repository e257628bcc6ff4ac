# SPDX-License-Identifier: Apache-2.0
"""What the sweeps of chapter 5 measured: rows of docs/chapter5.csv, and figures of them."""

import csv
import io
import json
import math
import re
import sqlite3

BENCHMARKS = "ac bs fwt mm rd tp bfs kmn ge lud srad".split()
# A kernel's name begins so (firmware/kernels/cuda).
KERNELS = {"autocorrelation": "ac", "bitonic_sort": "bs", "fast_walsh": "fwt", "matrix_multiply": "mm", "reduction": "rd",
           "transpose": "tp", "bfs": "bfs", "kmeans": "kmn", "gaussian": "ge", "lu_": "lud", "srad": "srad"}  # fmt: skip
TURN = "kmn turn"  # beside kmn, of which it is a part: the kernel that turns the points round
SETTING = ["coalescing", "banks", "sms", "cache"]
COUNTS = ["cycles", "requests", "stall_cycles", "l1_reads", "l1_read_hits", "l2_reads", "l2_read_hits", "bytes_read", "packets", "flits", "network_cycles",
          "fetches", "fetch_hits", "constant_reads", "constant_hits", "texture_reads", "texture_hits"]  # fmt: skip
COLUMNS = [*SETTING, "benchmark", "size", "luts", *COUNTS, "energy_mj"]
NONE, PERFECT, CODE = "none", "perfect memory", "code and constants"
CHOSEN, OTHER = "none", "compute-2.0"  # gpgpu.coalescing: of the one setting, and beside it
SAME = 0.02  # a speed-up so near to 1 is none


def benchmark_of(kernel):
    for prefix, name in KERNELS.items():
        if kernel.startswith(prefix):
            return name
    raise SystemExit(f"chapter5: kernel {kernel} belongs to no benchmark that is known here")


def collect(paths):
    """The rows of docs/chapter5.csv."""
    rows = [row for path in paths for row in points_of(path)]
    keys = [tuple(row[c] for c in [*SETTING, "benchmark"]) for row in rows]
    if len(set(keys)) != len(keys):  # of points that are in two sweeps the first
        rows = list({key: row for key, row in reversed(list(zip(keys, rows)))}.values())[::-1]
    order = {c: i for i, c in enumerate(dict.fromkeys(row["cache"] for row in rows))}
    rows.sort(key=lambda row: (row["coalescing"] != CHOSEN, row["banks"] != NONE, row["banks"], row["sms"], order[row["cache"]]))
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def points_of(path):
    database = sqlite3.connect(path)
    for point, state in database.execute("SELECT id, state FROM results").fetchall():
        axes = dict(database.execute("SELECT axis, value FROM settings WHERE point = ?", (point,)))
        if state != "done":
            raise SystemExit(f"chapter5: {path}: the point of {axes} is {state}; run the sweep again")
        setting = {"coalescing": axes.get("gpgpu.coalescing", CHOSEN), "banks": axes.get("gpgpu.shared_banks", NONE),
                   "sms": axes["gpgpu.sms"], "cache": axes["cache"]}  # fmt: skip
        query = "SELECT value FROM statistics WHERE point = ? AND key = 'gpgpu.estimates.luts'"
        luts = int(database.execute(query, (point,)).fetchone()[0])
        output = database.execute("SELECT output FROM points WHERE id = ?", (point,)).fetchone()[0]
        sizes = {m[0]: int(m[1]) for m in re.findall(r"^([a-z]+) +\S.*? +(\d+) +\d+ +\d+  [0-9a-f]{8}  ", output, re.M)}
        sums = {name: dict.fromkeys([*COUNTS, "energy_mj"], 0) for name in [*BENCHMARKS, TURN]}
        for name, cycles, text in database.execute("SELECT name, cycles, statistics FROM kernels WHERE point = ?", (point,)):
            add_kernel(sums[benchmark_of(name)], cycles, json.loads(text))
            if name == "kmeans_turn":
                add_kernel(sums[TURN], cycles, json.loads(text))
        for b, total in sums.items():
            total["energy_mj"] = f"{total['energy_mj']:.3f}"
            yield {**setting, "benchmark": b, "size": sizes[b.split()[0]], "luts": luts, **total}


def add_kernel(total, cycles, kernel):
    caches = kernel["caches"]
    total["cycles"] += cycles
    total["energy_mj"] += kernel["energy_mj"]
    for port in caches.get("ports", []):
        total["requests"] += port["requests"]
        total["stall_cycles"] += port["stall_cycles"]
    for l1 in caches.get("l1", []):
        total["l1_reads"] += l1["reads"]
        total["l1_read_hits"] += l1["read_hits"]
    for cache, reads, hits in (("instruction", "fetches", "fetch_hits"), ("constant", "constant_reads", "constant_hits"),
                               ("texture", "texture_reads", "texture_hits")):  # fmt: skip
        for of_sm in caches.get(cache, []):
            total[reads] += of_sm["reads"]
            total[hits] += of_sm["read_hits"]
    total["l2_reads"] += caches.get("l2", {}).get("reads", 0)
    total["l2_read_hits"] += caches.get("l2", {}).get("read_hits", 0)
    total["bytes_read"] += caches["below"]["bytes_read"]
    total["packets"] += caches.get("network", {}).get("packets", 0)
    total["flits"] += caches.get("network", {}).get("flits", 0)
    total["network_cycles"] += caches.get("network", {}).get("cycles", 0)


class Results:
    """Of one rule of coalescing, without banks unless they are asked for."""

    def __init__(self, text, coalescing=CHOSEN, banks=NONE):
        self.rows = {}
        self.caches = []
        for row in csv.DictReader(io.StringIO(text)):
            if (row["coalescing"], row["banks"]) != (coalescing, banks):
                continue
            key = (int(row["sms"]), row["cache"], row["benchmark"])
            self.rows[key] = {c: int(row[c]) for c in ["size", "luts", *COUNTS]} | {"energy_mj": float(row["energy_mj"])}
            if row["cache"] not in self.caches:
                self.caches.append(row["cache"])
        self.l1 = [c for c in self.caches if c.startswith("L1")]
        self.l2 = [c for c in self.caches if c.startswith("L2")]

    def of(self, sms, cache, benchmark, what):
        return self.rows[sms, cache, benchmark][what]

    def speedup(self, sms, cache, benchmark, base=NONE):
        return self.of(sms, base, benchmark, "cycles") / self.of(sms, cache, benchmark, "cycles")

    def speedups(self, sms, caches, benchmark):
        return [self.speedup(sms, cache, benchmark) for cache in caches]

    def traffic(self, sms, cache, benchmark):
        return self.of(sms, cache, benchmark, "bytes_read") / self.of(sms, NONE, benchmark, "bytes_read")

    def network_traffic(self, sms, cache, benchmark):
        """What the network carries, requests and answers with their headers: the thesis's "global network traffic" (5.7)."""
        return self.of(sms, cache, benchmark, "flits") / self.of(sms, NONE, benchmark, "flits")

    def stalls(self, sms, cache, benchmark):
        """Cycles in which instructions waited with requests that had not gone out: the thesis's "non-coalesced memory stalls"
        (5.6.1), which GPGPU-Sim counts as cycles in which its memory stage holds such an instruction."""
        return self.of(sms, cache, benchmark, "stall_cycles") / self.of(sms, NONE, benchmark, "stall_cycles")

    def hit_rate(self, sms, cache, benchmark):
        return self.of(sms, cache, benchmark, "l1_read_hits") / self.of(sms, cache, benchmark, "l1_reads")

    def l2_misses(self, sms, cache, benchmark):
        return 1 - self.of(sms, cache, benchmark, "l2_read_hits") / self.of(sms, cache, benchmark, "l2_reads")

    def l2_misses_after_turn(self, sms, cache):
        """Of kmn's second kernel alone."""
        of = lambda what: self.of(sms, cache, "kmn", what) - self.of(sms, cache, TURN, what)  # noqa: E731
        return 1 - of("l2_read_hits") / of("l2_reads")

    def latency(self, sms, cache, benchmark):
        return self.of(sms, cache, benchmark, "network_cycles") / self.of(sms, cache, benchmark, "packets")


def kib(cache):
    sets, ways = re.fullmatch(r"L[12] (\d+) x (\d+)", cache).groups()
    return int(sets) * int(ways) * 128 / 1024


def geometric_mean(values):
    values = list(values)
    return math.prod(values) ** (1 / len(values))


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def names(chosen):
    return ", ".join(chosen) or "none"


def latency_ratio(r, sms, benchmark):
    """Of the network with an L2 cache (mean over them) to that without."""
    return mean(r.latency(sms, c, benchmark) / r.latency(sms, NONE, benchmark) for c in r.l2)
