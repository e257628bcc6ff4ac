// SPDX-License-Identifier: Apache-2.0
// A whole program: its host part uses the headers of the system and of CUDA's SDK, libraries that
// are not there, and what clang would not take from a careful author.
#include <GL/no_such_library.h>
#include <assert.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <cutil_inline.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "saxpy_kernel.cu"

using namespace std;

#ifdef __DEVICE_EMULATION__
#error "no emulation is asked for"
#endif

typedef struct {
  int size;
  double seconds;
  FILE* log;
} Settings;

NoSuchHandle window;
static vector<string> names;
void run_test(int argc, char** argv);
extern "C" void compute_gold(float* reference, const float* x, unsigned int n);

extern "C" void display() {
  noSuchClear(NO_SUCH_BIT | ANOTHER_BIT);
  CUDA_SAFE_CALL(cudaThreadSynchronize());
}

double seconds() {
  struct timeval now;
  gettimeofday(&now, NULL);
  return now.tv_sec + 1e-6 * now.tv_usec;
}

template <class T>
void sum(T* out, T* in, int threads) {
  dim3 grid(1, 1, 1);
  switch (threads) {
    case 64:
      block_sum<T, 64><<<grid, threads, 64 * sizeof(T)>>>(out, in, threads);
      break;
    case 32:
      block_sum<T, 32><<<grid, threads, 32 * sizeof(T)>>>(out, in, threads);
      break;
  }
}

void unknown_all_over() {
  no_such::Engine engine = no_such_factory(3);
  for (int i = 0; i < engine.size(); ++i) {
    engine.put(i, no_such_value);
    if (engine.full()) {
      engine.flush();
    } else {
      engine.next();
    }
  }
  block_sum<unsigned int, 64><<<engine.grid(), 64>>>(engine.out(), engine.in(), 64u);
}

int main(int argc, char** argv) {
  run_test(argc, argv);
  noSuchMainLoop(display);
  CUT_EXIT(argc, argv);
  return EXIT_SUCCESS;
}

void run_test(int argc, char** argv) {
  if (cutCheckCmdLineFlag(argc, (const char**)argv, "device"))
    cutilDeviceInit(argc, argv);
  else
    cudaSetDevice(cutGetMaxGflopsDeviceId());
  unsigned int timer = 0;
  cutilCheckError(cutCreateTimer(&timer));
  CUT_SAFE_CALL(cutStartTimer(timer));
  StopWatchInterface* watch = 0;
  sdkCreateTimer(&watch);
  cudaDeviceProp properties;
  checkCudaErrors(cudaGetDeviceProperties(&properties, 0));
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  float *x, *y;
  const size_t bytes = 64 * sizeof(float);
  vector<float> host(64, 1.0f);
  sort(host.begin(), host.end());
  cutilSafeCall(cudaMalloc((void**)&x, bytes));
  cutilSafeCall(cudaMalloc(&y, bytes));
  cudaMemcpy(x, &host[0], bytes, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(c_offset, &host[0], bytes);
  cudaMemcpyToSymbol("c_offset", &host[0], bytes, 0, cudaMemcpyHostToDevice);
  cudaBindTexture(0, nobody_reads_me, x, bytes);
  cudaEventRecord(start, 0);
  saxpy<<<dim3(1), dim3(BLOCK)>>>(y, x, 2.0f, 64);
  cutilCheckMsg("Kernel execution failed");
  cudaEventRecord(stop, 0);
  cudaEventSynchronize(stop);
  sum(y, x, 64);
  sum<int>((int*)y, (int*)x, 32);
  float milliseconds;
  cudaEventElapsedTime(&milliseconds, start, stop);
  printf("%s: %f ms, %d of %s\n", properties.name, milliseconds, INT_MAX, names[0].c_str());
  cout << seconds() << max(1, 2) << endl;
  assert(cudaGetLastError() == cudaSuccess);
}
