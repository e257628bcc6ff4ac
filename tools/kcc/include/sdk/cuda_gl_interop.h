// SPDX-License-Identifier: Apache-2.0
// For programs that share buffers with OpenGL: only their host code does, which is left out.
#pragma once

cudaError_t cudaGLSetGLDevice(int);
cudaError_t cudaGLRegisterBufferObject(unsigned);
cudaError_t cudaGLUnregisterBufferObject(unsigned);
cudaError_t cudaGLMapBufferObject(void**, unsigned);
template <typename Type>
cudaError_t cudaGLMapBufferObject(Type**, unsigned) {
  return cudaSuccess;
}
cudaError_t cudaGLUnmapBufferObject(unsigned);
cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource**, unsigned, unsigned);
cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource**, unsigned, unsigned, unsigned);
