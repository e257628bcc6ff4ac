#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes models/gpgpu/g80/special_functions.def: polynomials of the special function unit.

Each function is cut into intervals of 1/128; in each, a polynomial of degree 5 through the Chebyshev
points, whose error is below 2^-50 (SpecialFunctionsTest goes through all of them).  Coefficients are
multiples of 2^-52, of powers of the place within the interval, which goes from 0 to 1.

usage: tools/flexgrip-tables/special_functions.py > models/gpgpu/g80/special_functions.def
"""
from decimal import Decimal, ROUND_HALF_EVEN, getcontext

getcontext().prec = 80
DEGREE = 5
FRACTION_BITS = 52
ONE = Decimal(1)


def arctangent_of_inverse(n):
    total = term = ONE / n
    k = 1
    while abs(term) > Decimal(10) ** -75:
        term /= -n * n
        k += 2
        total += term / k
    return total


PI = 4 * (4 * arctangent_of_inverse(5) - arctangent_of_inverse(239))
LN2 = Decimal(2).ln()


def sine(x):
    total = term = x
    n = 1
    while abs(term) > Decimal(10) ** -75:
        n += 2
        term *= -x * x / (n * (n - 1))
        total += term
    return total


def cosine(x):
    return sine(PI / 2 - x)


def sine_ratio(t):
    """sin(t pi/2) / t, for a relative error that does not grow towards 0."""
    return PI / 2 if t == 0 else sine(t * PI / 2) / t


def log2_ratio(u):
    """log2(1 + u) / u, for the same."""
    return ONE / LN2 if u == 0 else (ONE + u).ln() / (u * LN2)


def coefficients(function, first, width):
    points = [(ONE + cosine((2 * k + 1) * PI / (2 * (DEGREE + 1)))) / 2 for k in range(DEGREE + 1)]
    differences = [function(first + width * x) for x in points]
    for order in range(1, DEGREE + 1):
        for k in range(DEGREE, order - 1, -1):
            differences[k] = (differences[k] - differences[k - 1]) / (points[k] - points[k - order])
    # Newton's form to powers of x
    powers = [Decimal(0)] * (DEGREE + 1)
    for k in range(DEGREE, -1, -1):
        powers = [Decimal(0)] + powers[:-1]
        for n in range(DEGREE):
            powers[n] -= points[k] * powers[n + 1]
        powers[0] += differences[k]
    return [int((c * 2**FRACTION_BITS).to_integral_value(ROUND_HALF_EVEN)) for c in powers]


def table(name, comment, function, rows):
    print(f"// {comment}")
    for index, (first, width) in rows:
        values = ", ".join(f"INT64_C({c})" for c in coefficients(function, first, width))
        print(f"{name}({index}, {values})")


def intervals(first, count, begin=Decimal(0), width=ONE / 128):
    return [(first + n, (begin + n * width, width)) for n in range(count)]


def main():
    print("// SPDX-License-Identifier: Apache-2.0")
    print("// The special function unit's polynomials: FUNCTION(interval, c0, ..., c5), multiples of 2^-52.")
    print("// Written by tools/flexgrip-tables/special_functions.py, which says more.")
    print("// clang-format off")
    table("EXP2", "2^x, 0 <= x < 1", lambda x: (x * LN2).exp(), intervals(0, 128))
    table("SINE", "sin(x pi/2) / x, 0 <= x < 1", sine_ratio, intervals(0, 128))
    table("LOG2", "log2(1 + x) / x, from x = -1/2 on; between sqrt(1/2) - 1 and sqrt(2) - 1", log2_ratio,
          intervals(26, 92, Decimal(26) / 128 - ONE / 2))
    table("RSQRT", "1 / sqrt(x), 1 <= x < 2", lambda x: ONE / x.sqrt(), intervals(0, 128, ONE))
    table("RSQRT", "and 2 <= x < 4", lambda x: ONE / x.sqrt(), intervals(128, 128, Decimal(2), ONE / 64))


main()
