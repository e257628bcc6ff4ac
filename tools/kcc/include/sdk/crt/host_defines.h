// SPDX-License-Identifier: Apache-2.0
// For sources that include <crt/host_defines.h>: what there is of it stands in kcc_cuda.h.
#pragma once
