// SPDX-License-Identifier: Apache-2.0
// For sources that include <cuda.h>: what kernels need of it stands in kcc_cuda.h.
#pragma once
