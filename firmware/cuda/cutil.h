/* SPDX-License-Identifier: Apache-2.0 */
/* What small programs of the CUDA SDK 1.x to 3.x use of its <cutil.h> and <cutil_inline.h>: checks
 * around calls, timers, comparisons, options of the command line (of which the board has none).
 * `kcc --host-wrapper` includes it where a program includes one of those. */
#ifndef GVP_CUDA_CUTIL_H
#define GVP_CUDA_CUTIL_H

#include <stdio.h>
#include <stdlib.h>

#include "cuda/cuda_runtime.h"

typedef int CUTBoolean;
enum { CUTFalse = 0, CUTTrue = 1 };

/* Prints the error with its place and ends the program with 1; does nothing if there is none. */
void cut_check(cudaError_t error, const char* what, const char* file, int line);
void cut_check_condition(bool holds, const char* what, const char* file, int line);
/* The device that there is; ends the program if there is none. */
void cut_check_device(const char* file, int line);

/* Words that only the SDK's own library looks at. */
static inline void cut_ignore(int none, ...) { (void)none; }

#define CUDA_SAFE_CALL(call) cut_check((call), #call, __FILE__, __LINE__)
#define CUDA_SAFE_CALL_NO_SYNC(call) CUDA_SAFE_CALL(call)
#define CUT_SAFE_CALL(call) cut_check_condition((call) == CUTTrue, #call, __FILE__, __LINE__)
#define CUT_SAFE_MALLOC(pointer) \
  cut_check_condition((pointer) != NULL, #pointer, __FILE__, __LINE__)
#define CUT_CONDITION(condition) \
  cut_check_condition((condition) != 0, #condition, __FILE__, __LINE__)
#define CUT_CHECK_ERROR(message)                                       \
  do {                                                                 \
    cut_check(cudaThreadSynchronize(), (message), __FILE__, __LINE__); \
    cut_check(cudaGetLastError(), (message), __FILE__, __LINE__);      \
  } while (0)
#define CUT_CHECK_DEVICE() cut_check_device(__FILE__, __LINE__)
#define CUT_DEVICE_INIT(...) (cut_ignore(0, ##__VA_ARGS__), cut_check_device(__FILE__, __LINE__))
#define CUT_EXIT(...) (cut_ignore(0, ##__VA_ARGS__), exit(EXIT_SUCCESS))

#define cutilSafeCall(call) CUDA_SAFE_CALL(call)
#define cutilSafeCallNoSync(call) CUDA_SAFE_CALL(call)
#define cutilSafeThreadSync() CUDA_SAFE_CALL(cudaThreadSynchronize())
#define cutilCheckError(call) CUT_SAFE_CALL(call)
#define cutilCheckMsg(message) CUT_CHECK_ERROR(message)
#define cutilCheckMsgAndSync(message) CUT_CHECK_ERROR(message)
#define cutilSafeMalloc(pointer) CUT_SAFE_MALLOC(pointer)
#define cutilCondition(condition) CUT_CONDITION(condition)
#define cutilDeviceInit(...) CUT_DEVICE_INIT(__VA_ARGS__)
#define cutilExit(...) CUT_EXIT(__VA_ARGS__)
#define cutGetMaxGflopsDeviceId() 0

/* Timers, by number; values are milliseconds, sums of all times between start and stop. */
CUTBoolean cutCreateTimer(unsigned* timer);
CUTBoolean cutDeleteTimer(unsigned timer);
CUTBoolean cutStartTimer(unsigned timer);
CUTBoolean cutStopTimer(unsigned timer);
CUTBoolean cutResetTimer(unsigned timer);
float cutGetTimerValue(unsigned timer);
float cutGetAverageTimerValue(unsigned timer);

/* Whether two arrays are equal: bit for bit, within epsilon each, or within epsilon in the
 * Euclidean norm of their difference over that of the reference. */
CUTBoolean cutComparei(const int* reference, const int* data, unsigned count);
CUTBoolean cutComparef(const float* reference, const float* data, unsigned count);
CUTBoolean cutComparefe(const float* reference, const float* data, unsigned count, float epsilon);
CUTBoolean cutCompareL2fe(const float* reference, const float* data, unsigned count, float epsilon);

/* There are no options. */
#define cutCheckCmdLineFlag(count, words, name) \
  ((void)(count), (void)(words), (void)(name), CUTFalse)
#define cutGetCmdLineArgumenti(count, words, name, value) \
  ((void)(count), (void)(words), (void)(name), (void)(value), CUTFalse)
#define cutFree(pointer) free(pointer)

#endif
