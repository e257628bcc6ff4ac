// SPDX-License-Identifier: Apache-2.0
// For programs that share buffers with OpenGL: only their host code does, which is left out.
#pragma once
