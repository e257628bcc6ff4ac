// SPDX-License-Identifier: Apache-2.0
// Fig. 6 of the SCRATCH paper, row by row: what each benchmark uses of the units' instructions,
// what trimming saves, the power that is left, how many compute units and vector units then fit.
// Per cent; watts.  kUnread: the text of the paper that was at hand does not have the number (it is
// part of a bar).
//
// Counts of instructions are per cent of unit sizes that fit all of them: 46 scalar, 47 integer, 46
// float.  The power of float rows is not told; two follow from section 4.1.2, which gives the ratio
// of energies at equal time: 1.15 for the addition, 1.02 for the convolution, of 3.49 + 0.45 W.
// Flip-flops of the transpose: section 4.1.1.  Left out: "NIN (INT32)", which counts float
// instructions in an integer program, and "CNN (SP FP)", which repeats the convolution; k-means' 37
// % of DSP48.
#pragma once

#include <array>

namespace gvp::trim {

constexpr double kUnread = -1;
constexpr double kScalarInstructions = 46;
constexpr double kIntegerInstructions = 47;
constexpr double kBaselineStaticWatts = 0.45;
constexpr double kBaselineDynamicWatts = 3.49;

struct FigureRow {
  const char* name;
  double scalar, integer, floats;                    // per cent of instructions used
  double flip_flops, tables, multipliers, memories;  // per cent saved
  double dynamic_watts;
  unsigned compute_units, integer_units, float_units;  // that fit
  bool float_product;                                  // multiplies or divides floats
};

/* clang-format off */
constexpr std::array<FigureRow, 14> kFigure6 = {{
    //                        instructions    saved: FF, LUT, DSP, BRAM          W     fit
    {"Matrix Add (INT32)",    11,  9,  0,     kUnread, 45,      11, 6,      2.83,    3, 4, 0, false},
    {"Matrix Add (SP FP)",    11,  9,  2,     40,      34,      11, 6, 3.94 / 1.15 - 0.44, 2, 1, 3, false},
    {"Matrix Mult. (INT32)",  26,  9,  0,     34,      47,      10, 6,      2.81,    3, 4, 0, false},
    {"Matrix Mult. (SP FP)",  26,  9,  9,     15,      27,      11, 0,      kUnread, 2, 1, 3, true},
    {"Matrix Transp. (INT32)", 9,  6,  0,     72,      47,      11, 6,      2.77,    3, 4, 0, false},
    {"Gaussian Eliminat.",    19, 15, 13,     6,       22,      11, 0,      kUnread, 2, 1, 3, true},
    {"Bitonic Sort (INT32)",  13, 21,  0,     49,      44,     9.6, 0,      2.84,    3, 4, 0, false},
    {"2D Conv. (INT32)",      28, 32,  0,     30,      39,       2, 6,      2.81,    3, 4, 0, false},
    {"2D Conv. (SP FP)",      30, 30, 15,     0,       12,       2, 0, 3.94 / 1.02 - 0.45, 2, 1, 3, true},
    {"K-Means (SP FP)",       28, 15, 13,     10,      25, kUnread, 0,      kUnread, 2, 1, 3, true},
    {"Max Pooling (INT32)",    9, 13,  0,     69,      39,      11, 6,      kUnread, 3, 4, 0, false},
    {"Median Pooling (INT32)", 17, 17, 0,     kUnread, 40,      11, 6,      kUnread, 3, 4, 0, false},
    {"Average Pooling (INT32)", 9, 11, 0,     kUnread, 42,      11, 6,      2.80,    3, 4, 0, false},
    {"CNN (INT32)",           39, 38,  0,     30,      39,       2, 6,      2.81,    3, 4, 0, false}}};
/* clang-format on */

}  // namespace gvp::trim
