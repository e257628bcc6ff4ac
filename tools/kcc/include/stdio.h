// SPDX-License-Identifier: Apache-2.0
// For sources that include <stdio.h> for their host part: kernels have nothing of it.
#pragma once
#include <stddef.h>
