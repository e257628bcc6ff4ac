// SPDX-License-Identifier: Apache-2.0
// For sources that include <cutil.h> of the CUDA SDK: the macros around calls, and the functions
// that host code names.  The macros that kernels use do what they do in a release build.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CUDA_SAFE_CALL(call) (void)(call)
#define CUDA_SAFE_CALL_NO_SYNC(call) (void)(call)
#define CU_SAFE_CALL(call) (void)(call)
#define CU_SAFE_CALL_NO_SYNC(call) (void)(call)
#define CUT_SAFE_CALL(call) (void)(call)
#define CUT_SAFE_MALLOC(call) (void)(call)
#define CUFFT_SAFE_CALL(call) (void)(call)
#define CUT_CHECK_ERROR(message) (void)(message)
#define CUT_CHECK_DEVICE()
#define CUT_DEVICE_INIT(...)
#define CUT_DEVICE_INIT_DRV(...)
#define CUT_EXIT(...)
#define CUT_CONDITION(condition) (void)(condition)
#define CUT_THREADPROC void*
#define CUT_THREADEND return 0

#define CUT_BANK_CHECKER(array, index) array[index]
#define cutilBankChecker(array, index) array[index]
#define CUT_INDEX_CHECKER(...)

typedef int CUTBoolean;
enum { CUTFalse = 0, CUTTrue = 1 };

CUTBoolean cutCreateTimer(unsigned*);
CUTBoolean cutDeleteTimer(unsigned);
CUTBoolean cutStartTimer(unsigned);
CUTBoolean cutStopTimer(unsigned);
CUTBoolean cutResetTimer(unsigned);
float cutGetTimerValue(unsigned);
float cutGetAverageTimerValue(unsigned);
void cutFree(void*);
void cutCheckDevice(...);
char* cutFindFilePath(const char*, const char*);
CUTBoolean cutCheckCmdLineFlag(int, const char**, const char*);
CUTBoolean cutGetCmdLineArgumenti(int, const char**, const char*, int*);
CUTBoolean cutGetCmdLineArgumentf(int, const char**, const char*, float*);
CUTBoolean cutGetCmdLineArgumentstr(int, const char**, const char*, char**);
template <typename Type>
CUTBoolean cutComparef(const Type*, const Type*, unsigned) {
  return CUTTrue;
}
template <typename Type>
CUTBoolean cutComparei(const Type*, const Type*, unsigned) {
  return CUTTrue;
}
template <typename Type>
CUTBoolean cutCompareub(const Type*, const Type*, unsigned) {
  return CUTTrue;
}
template <typename Type>
CUTBoolean cutComparefe(const Type*, const Type*, unsigned, float) {
  return CUTTrue;
}
template <typename Type>
CUTBoolean cutCompareL2fe(const Type*, const Type*, unsigned, float) {
  return CUTTrue;
}
CUTBoolean cutReadFilef(const char*, float**, unsigned*, bool = false);
CUTBoolean cutReadFilei(const char*, int**, unsigned*, bool = false);
CUTBoolean cutReadFileub(const char*, unsigned char**, unsigned*, bool = false);
template <typename Type>
CUTBoolean cutWriteFilef(const char*, const Type*, unsigned, const Type, bool = false) {
  return CUTTrue;
}
template <typename Type>
CUTBoolean cutWriteFilei(const char*, const Type*, unsigned, const Type, bool = false) {
  return CUTTrue;
}
CUTBoolean cutLoadPGMub(const char*, unsigned char**, unsigned*, unsigned*);
CUTBoolean cutLoadPGMf(const char*, float**, unsigned*, unsigned*);
CUTBoolean cutLoadPPMub(const char*, unsigned char**, unsigned*, unsigned*);
CUTBoolean cutLoadPPM4ub(const char*, unsigned char**, unsigned*, unsigned*);
CUTBoolean cutSavePGMub(const char*, unsigned char*, unsigned, unsigned);
CUTBoolean cutSavePGMf(const char*, float*, unsigned, unsigned);
CUTBoolean cutSavePPMub(const char*, unsigned char*, unsigned, unsigned);
CUTBoolean cutSavePPM4ub(const char*, unsigned char*, unsigned, unsigned);
