// SPDX-License-Identifier: Apache-2.0
// For sources that include <cutil_math.h>: arithmetic on float2, int3 and their like.
#pragma once

#include "../kcc_vector_arithmetic.h"
