/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BSPCONFIG_H
#define BSPCONFIG_H

#define MICROBLAZE_PVR_FULL

#endif
