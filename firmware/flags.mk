# SPDX-License-Identifier: Apache-2.0
# What all firmware is compiled with.

# The core every variant of the board has: multiplier, divider, barrel shifter, pattern compare.
# v9.6, not v10 or v11: GCC 12 compares versions as strings, and "v10" is less than "v3".
cpu := -mcpu=v9.6 -mno-xl-soft-mul -mxl-multiply-high -mno-xl-soft-div -mxl-barrel-shift \
       -mxl-pattern-compare -mxl-reorder
warnings := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Werror
