// SPDX-License-Identifier: Apache-2.0
// For sources that include <sm_11_atomic_functions.h>: what there is of it stands in kcc_cuda.h.
#pragma once
