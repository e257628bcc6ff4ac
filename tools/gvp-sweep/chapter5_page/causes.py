# SPDX-License-Identifier: Apache-2.0
"""Why findings do not come out, and what the choices of the setting come to, in measured figures."""

import tomllib
from pathlib import Path

from .results import BENCHMARKS, NONE, PERFECT, SAME, TURN, kib, latency_ratio, mean, names

# The one setting, whose chosen values the page names.
CONFIGURATION = Path(__file__).resolve().parents[3] / "platform/configs/flexgrip_chapter5.toml"


def cause(finding, r, o):
    """Why it does not come out, in measured figures: r of the one setting, o where lanes share requests."""
    sms = 2 if finding.startswith("2 SMs") else 1
    l1_traffic = lambda x, b: mean(x.traffic(sms, c, b) for c in x.l1)  # noqa: E731
    l1_speed = lambda x, b: mean(x.speedups(sms, x.l1, b))  # noqa: E731
    if "gains nothing with an L1D" in finding:
        more = [b for b in BENCHMARKS if max(r.speedups(sms, r.l1, b)) > 1 + SAME]
        return (f"{names(more)} gain: a line of 128 bytes takes the place of up to 32 requests of 32 bytes, so reads fall to "
                f"{mean(l1_traffic(r, b) for b in BENCHMARKS):.2f} of those without an L1 (mean); where lanes share requests to "
                f"{mean(l1_traffic(o, b) for b in BENCHMARKS):.2f}")  # fmt: skip
    if "kmn misses nearly always" in finding or "kmn's memory stalls" in finding:
        misses = 100 * (1 - mean(r.hit_rate(sms, c, TURN) for c in r.l1))
        return (f"of the kernel that turns the points round, {misses:.1f} % miss and stalls are {mean(r.stalls(sms, c, TURN) for c in r.l1):.2f} times as "
                "many; the other's reads go by the texture cache, with and without an L1D")  # fmt: skip
    if "kmn is slower" in finding:
        turn, rest = [], []
        for c in r.l1:
            turn.append(r.speedup(sms, c, TURN))
            rest.append((r.of(sms, NONE, "kmn", "cycles") - r.of(sms, NONE, TURN, "cycles")) /
                        (r.of(sms, c, "kmn", "cycles") - r.of(sms, c, TURN, "cycles")))  # fmt: skip
        return f"the kernel that turns the points round is {mean(turn):.2f} times as fast, the other {mean(rest):.2f} times"
    if "memory stalls with an L1D" in finding:
        b = finding.split()[2].removesuffix("'s")
        each = lambda c: r.of(sms, c, b, "stall_cycles") / r.of(sms, c, b, "requests")  # noqa: E731
        return (f"requests go out two a cycle into an L1 and one a cycle without, {mean(each(c) for c in r.l1):.2f} and {each(NONE):.2f} cycles of stalls "
                "each; those that wait for a line on its way do not make up for it")  # fmt: skip
    if "ac varies slightly" in finding:
        direct = [c for c in r.l1 if c.endswith(" x 1") and kib(c) < 4 * r.of(1, NONE, "ac", "size") / 1024]
        return "they hit " + ", ".join(f"{100 * r.hit_rate(sms, c, 'ac'):.1f} % ({c[3:]})" for c in direct)
    if "vary most with an L2" in finding:
        spread = {b: max(r.speedups(sms, r.l2, b)) / min(r.speedups(sms, r.l2, b)) for b in BENCHMARKS}
        return "from the smallest speed-up to the largest: " + ", ".join(f"{b} {v:.2f}" for b, v in sorted(spread.items(), key=lambda x: -x[1])[:4])
    if "network latency with an L2 over that without" in finding:
        all_of = ", ".join(f"{b} {latency_ratio(r, sms, b):.2f}" for b in BENCHMARKS)
        return f"by benchmark: {all_of}"
    if "latency is higher" in finding:
        less = ", ".join(f"{b} {latency_ratio(r, sms, b):.2f}" for b in BENCHMARKS if latency_ratio(r, sms, b) <= 1)
        return f"less where hits are answered before the memory would ({less})"
    if "rd's network traffic" in finding:
        flits_of = lambda x: 1 / mean(x.network_traffic(sms, c, "rd") for c in x.l1)  # noqa: E731
        return (f"32 lanes ask for 32 bytes each of a line of 128, which are {1 / l1_traffic(r, 'rd'):.1f} times its bytes; where they share requests "
                f"{1 / l1_traffic(o, 'rd'):.1f} times, {flits_of(o):.1f} times its flits. The thesis's 3 lies between")  # fmt: skip
    if "rd is the same" in finding:
        return (f"without an L1 two SMs fill the network, where a request and its answer are under way {r.latency(2, NONE, 'rd'):.0f} cycles, of one SM "
                f"{r.latency(1, NONE, 'rd'):.0f}; so an L1 helps; where lanes share requests the speed-up is {l1_speed(o, 'rd'):.3f}")  # fmt: skip
    if "load traffic of" in finding:
        each = lambda x: ", ".join(f"{b} {l1_traffic(x, b):.2f}" for b in ("bs", "fwt", "kmn", "lud", "srad"))  # noqa: E731
        return f"it falls, as one line serves many lanes ({each(r)}); where lanes share requests: {each(o)}"
    if "lose most with an L2" in finding:
        worst = lambda b: min(r.speedups(sms, r.l2, b))  # noqa: E731
        return (f"tp {worst('tp'):.2f}, bfs {worst('bfs'):.2f}, kmn {worst('kmn'):.2f}: bfs stores single bytes and words at random, for each of which the "
                f"L2 fetches a line; with the write-evict of the thesis's text bfs has {r.speedup(sms, 'write-evict L2 128 x 8', 'bfs'):.2f} and tp "
                f"{r.speedup(sms, 'write-evict L2 64 x 8', 'tp'):.2f} (64 x 8) and {r.speedup(sms, 'write-evict L2 128 x 8', 'tp'):.2f} (128 x 8), "
                "no difference by size")  # fmt: skip
    if "kmn's L2 misses" in finding:
        cache = next(c for c in r.l2 if f"{kib(c):g} KiB" in finding)
        return (f"of the reads of the kernel that turns the points round, whose 768 threads of an SM are at as many lines, 96 KiB of them, "
                f"{100 * r.l2_misses(sms, cache, TURN):.0f} % miss; of the other's, which the texture cache asks for, {100 * r.l2_misses_after_turn(sms, cache):.0f} %, "
                f"as the 34 lines that a warp reads lie {r.of(1, NONE, 'kmn', 'size') * 4 // 1024} KiB apart, all in one set. The jump until 128 KiB is the thesis's")  # fmt: skip
    if "is faster with an L1D" in finding:
        b = finding.split()[2]
        return f"{max(r.speedups(sms, r.l1, b)):.3f} is within {SAME} of 1; with flits of 16 bytes it is {flits(r, sms, b):.2f}"
    if "mm, best L1D" in finding:
        return (f"{r.speedup(sms, 'one port L1 32 x 4', 'mm'):.2f} with one request a cycle; the other way the network is what is left: with flits of 16 "
                f"bytes it is {flits(r, sms, 'mm'):.2f}")  # fmt: skip
    if "ac is best" in finding:
        array = 4 * r.of(1, NONE, "ac", "size") / 1024
        small = max((c for c in r.l1 if kib(c) < array), key=lambda c: (round(r.speedup(sms, c, "ac"), 2), -kib(c)))
        return (f"{small} hits {100 * r.hit_rate(sms, small, 'ac'):.1f} % already, as the warps of an SM are near each other in the array")  # fmt: skip
    if "mm gains nothing from 12 KiB" in finding:
        hits = lambda size: max(100 * r.hit_rate(sms, c, "mm") for c in r.l1 if kib(c) == size)  # noqa: E731
        best = lambda n, size: max(r.speedup(n, c, "mm") for c in r.l1 if kib(c) == size)  # noqa: E731
        more = ", ".join(f"{100 * (best(n, 12) / best(n, 8) - 1):.1f} %" for n in (1, 2))
        return (f"the words of a need lines, too, beside the 8 KiB of b: {hits(8):.2f} % hit with 8 KiB, {hits(12):.2f} % with 12, which makes 1 and 2 SMs "
                f"{more} faster, where {100 * SAME:g} % is none")  # fmt: skip
    if "mm with perfect" in finding:
        return f"with flits of 16 bytes the baseline is {1 / r.speedup(sms, 'flits of 16', 'mm'):.2f} times as slow"
    if "with an L2 (mean)" in finding:
        return (f"where the pipeline holds for each load, a hit's shorter way counts: ac "
                f"{r.speedup(sms, 'holding L2 128 x 8', 'ac', 'holding'):.2f}")  # fmt: skip
    return "no cause measured"


def flits(r, sms, benchmark):
    return r.speedup(sms, "flits of 16 L1 32 x 4", benchmark, "flits of 16")


def setting_effects(r):
    """What of the one setting makes which findings come out, by runs without it."""
    yield "## What the setting does"
    yield ""
    yield "Of each choice a run without it, and what it changes; 1 SM | 2 SMs."
    yield ""
    pair = lambda f: " \\| ".join(f"{f(sms):.2f}" for sms in (1, 2))  # noqa: E731
    yield ("- Other warps go on (`sm_requests`): where the pipeline holds instead, as FlexGrip's, an L2 128 x 8 makes ac "
           f"{pair(lambda n: r.speedup(n, 'holding L2 128 x 8', 'ac', 'holding'))} and mm {pair(lambda n: r.speedup(n, 'holding L2 128 x 8', 'mm', 'holding'))} "
           f"times as fast, against {pair(lambda n: r.speedup(n, 'L2 128 x 8', 'ac'))} and {pair(lambda n: r.speedup(n, 'L2 128 x 8', 'mm'))}: "
           "the thesis's \"no gain with an L2\" is that of a simulator whose warps hide latency.")  # fmt: skip
    yield ("- Two ports of the L1: with one, mm with an L1 32 x 4 is "
           f"{pair(lambda n: r.speedup(n, 'one port L1 32 x 4', 'mm'))} times as fast as without, no more than with perfect memory "
           f"({pair(lambda n: r.speedup(n, PERFECT, 'mm'))}); with two {pair(lambda n: r.speedup(n, 'L1 32 x 4', 'mm'))}. The thesis's L1 beats its perfect memory, too.")  # fmt: skip
    yield ("- The L2 allocates on a write: its text says write-evict without allocation (5.4.2), but with that tp makes "
           f"{pair(lambda n: r.speedup(n, 'write-evict L2 64 x 8', 'tp'))} of the baseline with 64 KiB and {pair(lambda n: r.speedup(n, 'write-evict L2 128 x 8', 'tp'))} "
           f"with 128 KiB, as it reads nothing twice; with allocation, GPGPU-Sim's default, {pair(lambda n: r.speedup(n, 'L2 64 x 8', 'tp'))} and "
           f"{pair(lambda n: r.speedup(n, 'L2 128 x 8', 'tp'))}. So its finding on tp cannot come out by its own text.")  # fmt: skip
    yield ("- Dirty lines wait in a buffer while the line that they make room for is fetched: where it waits for them, tp makes "
           f"{pair(lambda n: r.speedup(n, 'unbuffered L2 64 x 8', 'tp'))} with an L2 64 x 8, against {pair(lambda n: r.speedup(n, 'L2 64 x 8', 'tp'))}.")  # fmt: skip
    yield ("- kmn reads its points as a texture: through the L1 it is "
           f"{pair(lambda n: r.speedup(n, 'no textures L1 64 x 2', 'kmn', 'no textures'))} times as fast with an L1 64 x 2, "
           f"{pair(lambda n: r.speedup(n, 'no textures L2 64 x 8', 'kmn', 'no textures'))} with an L2 64 x 8 (as a texture "
           f"{pair(lambda n: r.speedup(n, 'L1 64 x 2', 'kmn'))} and {pair(lambda n: r.speedup(n, 'L2 64 x 8', 'kmn'))}), and its L1 misses "
           f"{100 * (1 - r.hit_rate(1, 'no textures L1 64 x 2', 'kmn')):.0f} % of its reads in place of {100 * (1 - r.hit_rate(1, 'L1 64 x 2', 'kmn')):.0f} %.")  # fmt: skip
    yield ("- Flits of 32 bytes, as GPGPU-Sim's configurations have: with 16 mm's L1 32 x 4 makes "
           f"{pair(lambda n: flits(r, n, 'mm'))}, further from the thesis's.")  # fmt: skip
    gpgpu = tomllib.loads(CONFIGURATION.read_text(encoding="utf-8"))["gpgpu"]
    network = gpgpu["network"]
    slow = lambda n, base, cache: mean(r.latency(n, cache, b) / r.latency(n, base, b) for b in BENCHMARKS)  # noqa: E731
    yield (f"- {gpgpu['sm_requests']} requests of an SM on their way are chosen, about a round trip's. With 64 mm makes "
           f"{pair(lambda n: r.speedup(n, PERFECT, 'mm', 'requests of 64'))} with perfect memory in place of {pair(lambda n: r.speedup(n, PERFECT, 'mm'))}, "
           f"rd {pair(lambda n: r.speedup(n, 'requests of 64 L1 32 x 4', 'rd', 'requests of 64'))} with an L1 32 x 4 in place of "
           f"{pair(lambda n: r.speedup(n, 'L1 32 x 4', 'rd'))}, and the network's latency with an L2 128 x 8 is "
           f"{pair(lambda n: slow(n, 'requests of 64', 'requests of 64 L2 128 x 8'))} times that without in place of {pair(lambda n: slow(n, NONE, 'L2 128 x 8'))} "
           "(mean), as more of them stand in the network.")  # fmt: skip
    yield (f"- {network['queue']} requests that have room before the L2 or the memory, and buffers of {network['buffer_flits']} flits in the network, the longest packet's, are chosen, too. "
           f"With the 8 of GPGPU-Sim's queue alone that latency is {pair(lambda n: slow(n, 'queue of 8', 'queue of 8 L2 128 x 8'))} times, with buffers of 8 "
           f"{pair(lambda n: slow(n, 'buffers of 8', 'buffers of 8 L2 128 x 8'))} times: a memory keeps more requests than an L2 that "
           "answers at once, so with an L2 they wait in the network.")  # fmt: skip
    hops = lambda n, b: r.speedup(2, f"hops of {n} L1 32 x 4", b, f"hops of {n}")  # noqa: E731
    each = lambda b: f"{b} {hops(1, b):.3f}, {hops(2, b):.3f} and {r.speedup(2, 'L1 32 x 4', b):.3f}"  # noqa: E731
    yield (f"- What a packet's head takes from link to link is chosen, {network['hop_cycles']} cycles. Of two SMs an L1 32 x 4 with 1, 2 and {network['hop_cycles']} makes "
           f"{each('mm')}; {each('fwt')}; {each('rd')}; {each('tp')} times as fast: what is near 1 hangs on it.")  # fmt: skip
