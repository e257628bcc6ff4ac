/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SLEEP_H
#define SLEEP_H

#include <unistd.h>

#include "xil_types.h"

/* unistd.h has unsigned sleep(unsigned seconds), int usleep(useconds_t microseconds). */

#endif
