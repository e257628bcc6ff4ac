# SPDX-License-Identifier: Apache-2.0
"""What caches take of the thesis's device, and what an architect should build in it."""

import math
import re

from .results import BENCHMARKS, CHOSEN, NONE, OTHER, Results, geometric_mean

# The thesis's device (5.6) and what an SM of it takes; a block RAM of 36 kb is filled with lines and their tags.
DEVICE_RAMS, SM_RAMS, RAM_BITS = 416, 156, 36 * 1024


def block_rams(cache, sms):
    """Of an L1 of each SM, or an L2: data, and a tag of an address of 32 bits, and a valid bit, a line; no more
    than filling them, so widths that do not fit a block RAM's are not counted."""
    level, sets, ways = re.fullmatch(r"(L[12]) (\d+) x (\d+)", cache).groups()
    tag = 32 - 7 - int(math.log2(int(sets))) + 1
    bits = int(sets) * int(ways) * (128 * 8 + tag)
    return math.ceil(bits / RAM_BITS) * (sms if level == "L1" else 1)


def means(r, base, sms, cache):
    """Speed-up and energy over the thesis's baseline of one SM: geometric means over the benchmarks."""
    speed = geometric_mean(base.of(1, NONE, b, "cycles") / r.of(sms, cache, b, "cycles") for b in BENCHMARKS)
    return speed, geometric_mean(r.of(sms, cache, b, "energy_mj") / base.of(1, NONE, b, "energy_mj") for b in BENCHMARKS)


def choices(text):
    """(rule of coalescing, of banks, SMs, cache, block RAMs, LUTs, speed-up, energy) of all that fits into the device."""
    base = Results(text)
    for coalescing in (CHOSEN, OTHER):
        for banks in (NONE, "compute-1.x", "compute-2.x"):
            r = Results(text, coalescing, banks)
            for sms in sorted({key[0] for key in r.rows}):
                for cache in [NONE, *r.l1, *r.l2]:
                    if (sms, cache, "ac") not in r.rows:
                        continue
                    rams = sms * SM_RAMS + (0 if cache == NONE else block_rams(cache, sms))
                    if rams <= DEVICE_RAMS:
                        yield (coalescing, banks, sms, cache, rams, r.of(sms, cache, "ac", "luts"), *means(r, base, sms, cache))


def advice(text):
    """What an architect should build."""
    rows = list(choices(text))
    plain = {(r[0], r[2], r[3]): r for r in rows if r[1] == NONE}
    yield "## What to build in 416 block RAMs"
    yield ""
    yield f"An SM is {SM_RAMS} of the {DEVICE_RAMS} block RAMs of the thesis's XC6VLX240T. A cache's are its lines and, for each, a tag"
    yield "of a 32-bit address and a valid bit, in block RAMs of 36 kb filled to the last bit; an L1 cache counts once an SM. LUTs and"
    yield "energy are the statistics' estimates ([statistics.md](statistics.md)): of SMs by the thesis's tables, dynamic power times"
    yield "time; what caches, coalescing and banks themselves take is in no table of the thesis and not counted. Speed-up and energy"
    yield "are geometric means over the eleven benchmarks, over one SM of the setting without any of it."
    yield ""
    yield "| coalescing | banks | SMs | cache | block RAMs | LUTs | speed-up | energy | of these |"
    yield "|---|---|---:|---|---:|---:|---:|---:|---|"
    shown = []
    for coalescing in (CHOSEN, OTHER):
        for banks in (NONE, "compute-1.x", "compute-2.x"):
            for sms in (1, 2):
                of = [r for r in rows if r[:3] == (coalescing, banks, sms)]
                bare = [(r, "no cache") for r in of if r[3] == NONE]
                cached = [r for r in of if r[3] != NONE]
                best = max(cached, key=lambda r: (r[6], -r[4]), default=None)
                if best is not None:
                    near = min((r for r in cached if r[6] >= best[6] * 0.99), key=lambda r: (r[4], -r[6]))
                    bare.append((near, "least within 1 % of the fastest" if banks == NONE else "the one cache measured"))
                shown += bare
    for row, what in shown:
        yield "| {} | {} | {} | {} | {} | {} | {:.2f} | {:.2f} | {} |".format(*row, what)
    yield ""
    start, shared = plain[CHOSEN, 1, NONE], plain[OTHER, 1, NONE]
    cached = max((r for r in rows if r[:3] == (CHOSEN, NONE, 1) and r[3] != NONE), key=lambda r: r[6])
    banked = max((r for r in rows if r[0] == CHOSEN and r[1] != NONE and r[3] == NONE), key=lambda r: r[6])
    both = max((r for r in rows if r[0] == OTHER and r[1] != NONE and r[3] == NONE), key=lambda r: r[6])
    after = max((r for r in rows if r[0] == OTHER and r[1] == both[1] and r[3] != NONE), key=lambda r: r[6])
    second, second_shared = plain[CHOSEN, 2, NONE], plain[OTHER, 2, NONE]
    yield (f"So: of what one SM can be given, an L1 cache ({cached[3]}, {cached[4] - start[4]} block RAMs) makes it {cached[6]:.2f} times as "
           f"fast, lanes that share requests {shared[6]:.2f} times without a block RAM, {banked[1]} banks {banked[6]:.2f} times, and both "
           f"together {both[6]:.2f} times; an L1 cache beside them then adds {100 * (after[6] / both[6] - 1):.1f} %. A second SM "
           f"({SM_RAMS} block RAMs) is {second[6]:.2f} times one that shares nothing, and "
           f"{second_shared[6] / shared[6]:.2f} times one that shares requests. "
           + ("Coalescing and banks come first, then the second SM, and caches last."
              if both[6] > max(cached[6], second[6]) and after[6] / both[6] < second_shared[6] / shared[6]
              else "Caches come before them."))  # fmt: skip
