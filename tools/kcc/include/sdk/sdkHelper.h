// SPDX-License-Identifier: Apache-2.0
// For sources that include <sdkHelper.h> of the CUDA samples.
#pragma once

#include "helper_cuda.h"
#include "helper_functions.h"
