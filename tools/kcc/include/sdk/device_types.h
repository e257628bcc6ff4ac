// SPDX-License-Identifier: Apache-2.0
// For sources that include <device_types.h>: what there is of it stands in kcc_cuda.h.
#pragma once
