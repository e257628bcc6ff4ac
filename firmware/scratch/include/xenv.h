/* SPDX-License-Identifier: Apache-2.0 */
#ifndef XENV_H
#define XENV_H

#include <string.h>

#include "xil_cache.h"
#include "xil_types.h"

#define XENV_MEM_COPY(Destination, Source, Bytes) memcpy((Destination), (Source), (Bytes))
#define XENV_MEM_FILL(Destination, Data, Bytes) memset((Destination), (Data), (Bytes))

#endif
