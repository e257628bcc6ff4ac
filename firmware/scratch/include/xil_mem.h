/* SPDX-License-Identifier: Apache-2.0 */
#ifndef XIL_MEM_H
#define XIL_MEM_H

#include <string.h>

#include "xil_types.h"

#define Xil_MemCpy(Destination, Source, Bytes) memcpy((Destination), (Source), (size_t)(Bytes))

#endif
