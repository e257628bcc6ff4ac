// SPDX-License-Identifier: Apache-2.0
// For sources that include <helper_cuda.h> of the CUDA samples.
#pragma once

#include "helper_string.h"

#define checkCudaErrors(call) (void)(call)
#define getLastCudaError(message) (void)(message)

int gpuGetMaxGflopsDeviceId();
int gpuDeviceInit(int);
int findCudaDevice(int, const char**);
bool checkCudaCapabilities(int, int);
