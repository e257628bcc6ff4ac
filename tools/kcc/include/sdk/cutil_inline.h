// SPDX-License-Identifier: Apache-2.0
// For sources that include <cutil_inline.h> of the CUDA SDK.
#pragma once

#include "cutil.h"

#define cutilSafeCall(call) (void)(call)
#define cutilSafeCallNoSync(call) (void)(call)
#define cutilSafeThreadSync() cudaThreadSynchronize()
#define cutilDeviceSynchronize() cudaThreadSynchronize()
#define cutilThreadSynchronize() cudaThreadSynchronize()
#define cutilCheckError(call) (void)(call)
#define cutilCheckMsg(message) (void)(message)
#define cutilCheckMsgAndSync(message) (void)(message)
#define cutilSafeMalloc(pointer) (void)(pointer)
#define cutilCondition(condition) (void)(condition)
#define cutilExit(...)
#define cutilDrvSafeCallNoSync(call) (void)(call)
#define cufftSafeCall(call) (void)(call)

int cutGetMaxGflopsDeviceId();
int cutilDeviceInit(int, char**);
int cutilChooseCudaDevice(int, char**);
int cutilChooseCudaGLDevice(int, char**);
bool cutilDeviceCapabilities(int, int, int = 0, char** = 0);
