// SPDX-License-Identifier: Apache-2.0
// For sources that include <cutil_inline_runtime.h> of the CUDA SDK.
#pragma once

#include "cutil_inline.h"
