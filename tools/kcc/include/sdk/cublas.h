// SPDX-License-Identifier: Apache-2.0
// For sources that include <cublas.h>: its types; the library is the host's.
#pragma once

#include "cuComplex.h"

typedef unsigned cublasStatus;
typedef cublasStatus cublasStatus_t;
enum { CUBLAS_STATUS_SUCCESS = 0 };
cublasStatus cublasInit();
cublasStatus cublasShutdown();
cublasStatus cublasGetError();
