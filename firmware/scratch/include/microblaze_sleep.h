/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MICROBLAZE_SLEEP_H
#define MICROBLAZE_SLEEP_H

#include "mb_interface.h"
#include "xil_types.h"

void MB_Sleep(u32 MilliSeconds);

#endif
