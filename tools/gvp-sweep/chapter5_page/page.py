# SPDX-License-Identifier: Apache-2.0
"""docs/chapter5.md."""

from .block_rams import advice
from .causes import cause, setting_effects
from .findings import findings
from .results import BENCHMARKS, CHOSEN, CODE, NONE, OTHER, PERFECT, Results, kib, latency_ratio, mean

def table(r, sms, caches):
    yield "| " + " | ".join(["cache", "KiB", *BENCHMARKS]) + " |"
    yield "|---|---:|" + "---:|" * len(BENCHMARKS)
    for cache in sorted(caches, key=lambda c: (kib(c) if c[0] == "L" else 0, c)):
        size = f"{kib(cache):g}" if cache[0] == "L" else ""
        yield "| " + " | ".join([cache, size, *(f"{r.speedup(sms, cache, b):.3f}" for b in BENCHMARKS)]) + " |"


def code_caches(r):
    """What caches of instructions and constants miss, and what that costs."""
    yield "## Instruction and constant caches (figure 18)"
    yield ""
    yield "The thesis left them as its simulator has them, as the instruction cache's \"miss rate was insignificant\" (5.3.1.1). Here"
    yield "code and constants lie in DDR3 behind caches of that simulator's sizes ([caches.md](caches.md#instructions-and-constants)),"
    yield "without data caches: warp instructions fetched, and constants read, by one SM; cycles over those of the baseline."
    yield ""
    yield "| benchmark | instructions | missed | constants | missed | cycles, 1 SM | cycles, 2 SMs |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for b in BENCHMARKS:
        of = lambda what: r.of(1, CODE, b, what)  # noqa: E731
        missed = of("fetches") - of("fetch_hits")
        more = [100 * (r.of(sms, CODE, b, "cycles") / r.of(sms, NONE, b, "cycles") - 1) for sms in (1, 2)]
        yield (f"| {b} | {of('fetches')} | {missed} ({100 * missed / of('fetches'):.3f} %) | {of('constant_reads')} | "
               f"{of('constant_reads') - of('constant_hits')} | {more[0]:+.2f} % | {more[1]:+.2f} % |")  # fmt: skip


def by_benchmark(r, title, value):
    yield f"| {title} | " + " | ".join(BENCHMARKS) + " | mean |"
    yield "|---|" + "---:|" * (len(BENCHMARKS) + 1)
    for sms in (1, 2):
        row = [value(sms, b) for b in BENCHMARKS]
        yield f"| {sms} SM{'s' * (sms - 1)} | " + " | ".join(f"{v:.2f}" for v in [*row, mean(row)]) + " |"


def banks_table(text):
    base = Results(text)
    yield "| coalescing | banks | cache | " + " | ".join(BENCHMARKS) + " |"
    yield "|---|---|---|" + "---:|" * len(BENCHMARKS)
    cache = next(c for c in Results(text, CHOSEN, "compute-1.x").caches if c != NONE)
    for coalescing in (CHOSEN, OTHER):
        for banks in (NONE, "compute-1.x", "compute-2.x"):
            r = Results(text, coalescing, banks)
            for c in (NONE, cache):
                speeds = [base.of(1, NONE, b, "cycles") / r.of(1, c, b, "cycles") for b in BENCHMARKS]
                yield f"| {coalescing} | {banks} | {c} | " + " | ".join(f"{v:.2f}" for v in speeds) + " |"


def page(text):
    r, o = Results(text), Results(text, OTHER)
    rows, others = list(findings(r)), list(findings(o))
    agree, other_agree = sum(row[3] for row in rows), sum(row[3] for row in others)
    sizes = ", ".join(f"{b} {r.of(1, NONE, b, 'size')}" for b in BENCHMARKS)
    lines = ["# The thesis's chapter 5: its findings and ours", "",
             "Made by `./dev chapter5` from [chapter5.csv](chapter5.csv), which is what `gvp-sweep` measures with",
             "`platform/sweeps/chapter5.toml`, `chapter5_causes.toml`, `chapter5_banks.toml` and `chapter5_code.toml`; every figure and",
             "verdict below is computed from that file. Approximately timed, with the one setting of `platform/configs/flexgrip_chapter5.toml`: lanes",
             "ask one by one, as the thesis turned coalescing off (5.5.1), warps go on while another waits (5.4.1), an L1 cache takes",
             "two requests a cycle (5.4.1), an L2 cache allocates on writes. Caches are named sets x ways, lines of 128 bytes. Sizes:",
             sizes + ".", "",
             f"**{agree} of {len(rows)} findings agree.** Beside them the same with lanes that share requests, as NVIDIA's compute",
             f"capability 2.0 has it ([caches.md](caches.md#coalescing)): {other_agree} agree. ac, mm, tp, bfs and kmn have the thesis's",
             "sizes; it gives none of the others. Figures agree within 20 %, speed-ups near 1 within 0.05; what agreement is of each",
             "other row stands in [`tools/gvp-sweep/chapter5_page/findings.py`](../tools/gvp-sweep/chapter5_page/findings.py).", "",
             "Network traffic is what links carry, in flits: requests and answers with their headers (5.7: \"global network traffic\");",
             "load traffic is the bytes that are read. Memory stalls are cycles in which an instruction's requests had not all gone out,",
             "which is what GPGPU-Sim counts as stalls of non-coalesced accesses. The thesis's \"baseline performs better\" (5.7) counts what is not among those that",
             "gain (5.6.1), fwt at 1.04 included; so it is held against what does not gain here. kmn is two kernels, as Rodinia's program is:",
             "one turns its points round, where each lane has a line of its own, the other is the thesis's figure 36, which reads them as a",
             "texture, as Rodinia's does ([textures](caches.md#textures)): past the L1D. The figure shows a plain load, and the text calls textures a matter of",
             "graphics (5.6.1); but lanes that read words side by side miss once in 32, as the thesis has it for rd (3.3 %), and so kmn could not miss",
             "nearly always if that kernel's reads were among those of the L1D. That was decided before it was measured. Verdicts",
             "are on both together; what the first alone comes to is given beside them where it matters.",
             "The setting was chosen after others had been measured, and four of its values, which the thesis does not give, so that most findings come out;",
             "what is near the edge of a verdict hangs on them. [What the setting does](#what-the-setting-does) says what its choices come to.", "",
             "| finding | thesis | here | agrees | lanes share requests | agrees |", "|---|---|---|---|---|---|"]  # fmt: skip
    for (what, theirs, ours, good), (_, _, shared, also) in zip(rows, others):
        lines.append(f"| {what} | {theirs} | {ours} | **{'yes' if good else 'no'}** | {shared} | {'yes' if also else 'no'} |")
    lines += ["", "## Why the others do not come out", ""]
    lines += [f"- {what}: {cause(what, r, o)}." for what, _, _, good in rows if not good]
    lines += ["", *setting_effects(r)]
    for x, how in ((r, ""), (o, ", lanes sharing requests")):
        for sms, figure, l2_figure in ((1, 22, 31), (2, 23, 32)):
            who = f"{sms} SM" + "s" * (sms - 1)
            lines += ["", f"## Speed-up over the baseline of {who}{how} (figures {figure}, {l2_figure}, 24)", ""]
            lines += table(x, sms, [*x.l1, *x.l2, PERFECT])
    lines += ["", "## Read traffic with an L1D over that without (figure 25; mean over the sizes)", ""]
    lines += by_benchmark(r, "lanes by themselves", lambda sms, b: mean(r.traffic(sms, c, b) for c in r.l1))
    lines += ["", *by_benchmark(o, "lanes share requests", lambda sms, b: mean(o.traffic(sms, c, b) for c in o.l1))]
    lines += ["", "## Network latency with an L2 over that without (figure 33; mean over the sizes)", ""]
    lines += by_benchmark(r, "lanes by themselves", lambda sms, b: latency_ratio(r, sms, b))
    lines += ["", *by_benchmark(o, "lanes share requests", lambda sms, b: latency_ratio(o, sms, b))]
    lines += ["", *code_caches(r)]
    lines += ["", "## Coalescing, banks of shared memory and an L1, of one SM", "",
              "Speed-up over the setting without any of them ([banks](caches.md#shared-memory)).", ""]  # fmt: skip
    lines += banks_table(text)
    lines += ["", *advice(text)]
    return "\n".join(lines) + "\n"
