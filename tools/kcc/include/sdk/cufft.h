// SPDX-License-Identifier: Apache-2.0
// For sources that include <cufft.h>: its types, which kernels use; the library is the host's.
#pragma once

#include "cuComplex.h"

typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
typedef unsigned cufftHandle;
typedef enum { CUFFT_SUCCESS = 0 } cufftResult;
typedef enum { CUFFT_R2C = 0x2a, CUFFT_C2R = 0x2c, CUFFT_C2C = 0x29 } cufftType;
enum { CUFFT_FORWARD = -1, CUFFT_INVERSE = 1 };
cufftResult cufftPlan1d(cufftHandle*, int, cufftType, int);
cufftResult cufftPlan2d(cufftHandle*, int, int, cufftType);
cufftResult cufftPlan3d(cufftHandle*, int, int, int, cufftType);
cufftResult cufftDestroy(cufftHandle);
cufftResult cufftExecC2C(cufftHandle, cufftComplex*, cufftComplex*, int);
cufftResult cufftExecR2C(cufftHandle, cufftReal*, cufftComplex*);
cufftResult cufftExecC2R(cufftHandle, cufftComplex*, cufftReal*);
