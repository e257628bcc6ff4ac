// SPDX-License-Identifier: Apache-2.0
// For sources that include <helper_functions.h> of the CUDA samples.
#pragma once

#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"
