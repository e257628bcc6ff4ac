// SPDX-License-Identifier: Apache-2.0
// What programs of CUDA's first years do besides: names that the SDK has too, macros in the place of
// functions, initial values that C++11 calls narrowing, constructors of shared variables, functions
// as arguments of templates, pragmas of several spellings, assembly, libraries that are not there.
#include <GL/glew.h>
#include <cuda_gl_interop.h>
#include <cudpp.h>
#include <cutil_inline.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <vector>

using namespace std;

#define min(a, b) ((a) < (b) ? (a) : (b))
#define UMAD(a, b, c) ((a) * (b) + (c))
#define LAUNCH(kernel, grid, block, ...) kernel<<<(grid), (block)>>>(__VA_ARGS__)
typedef float real;
typedef real (*operation)(real, real);
enum { kCount = 32 };

inline __device__ float3 operator+(float3 a, float3 b) {
  return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}
__device__ float clamp(float x, float low, float high) { return fmaxf(low, fminf(high, x)); }
__device__ inline void swap(int& a, int& b) {
  int t = a;
  a = b;
  b = t;
}
__device__ real add(real a, real b) { return a + b; }
__device__ real multiply(real a, real b) { return a * b; }

class Complex {
 public:
  __device__ Complex() {}
  __device__ Complex(float a, float b) : r(a), i(b) {}
  __device__ Complex operator*(const Complex& o) const {
    return Complex(r * o.r - i * o.i, r * o.i + i * o.r);
  }
  float r, i;
};
struct __builtin_align__(16) Record {
  union {
    float f;
    int n;
  };
  struct {
    short low, high;
  } pair;
  char name[6];
};
__device__ __shared__ int file_shared[kCount];
extern "C" __device__ int data[4];
typedef texture<float, 1, cudaReadModeElementType> Texture;
Texture image;
__constant__ struct {
  int a;
  float b;
} setting;

__device__ __global__ void products(float* out) {
  __device__ __shared__ Complex s[kCount];
  s[threadIdx.x] = Complex(out[threadIdx.x], 1.0);
  __syncthreads();
  out[threadIdx.x] = (s[threadIdx.x] * s[kCount - 1 - threadIdx.x]).i;
}

__global__ static void sort(int* values, int count = kCount) {
  extern __shared__ int shared[];
  const int tid = threadIdx.x;
  shared[tid] = values[tid];
  __syncthreads();
  for (int k = 2; k <= count; k *= 2) {
    for (int j = k / 2; j > 0; j /= 2) {
      int other = tid ^ j;
      if (other > tid) {
        if ((tid & k) == 0) {
          if (shared[tid] > shared[other]) swap(shared[tid], shared[other]);
        } else {
          if (shared[tid] < shared[other]) swap(shared[tid], shared[other]);
        }
      }
      __syncthreads();
    }
  }
  values[tid] = shared[tid];
}

template <operation F>
__global__ void apply(real* p) {
  p[threadIdx.x] = F(p[threadIdx.x], 2.0f);
}

__global__ void everything(float* p, int i, float f, unsigned u, Record* records, char* text) {
  int t = UMAD(blockIdx.x, blockDim.x, threadIdx.x);
  unsigned char bytes[3] = {f, i, 3};
  float3 v = {1.0, i, u};
  int words[] = {0xffffffff, 1};
  const char* letters = "abc";
  Record record = records[t];
  record.f *= 2;
  record.pair.high += record.n;
  record.name[i % 6] = letters[i & 1];
  records[t] = record;
  file_shared[t & 31] = bytes[i & 1] + words[i & 1] + data[i & 3] + setting.a;
  __syncthreads();
#pragma unroll 4
  for (int n = 0; n < 8; n++) p[n] += (v + v).x + setting.b;
#pragma unroll kCount
  for (int n = 0; n < 8; n++) text[n] = file_shared[n];
  unsigned x;
  asm("mad24.lo.u32 %0, %1, %2, %3;" : "=r"(x) : "r"(u), "r"(3), "r"(7));
again:
  if (x > 100) {
    x /= 2;
    goto again;
  }
  p[t] = clamp(p[t], 0, 1) + min(p[0], 2) + x + 1e-3 + tex1Dfetch(image, t);
}

GLuint buffer;
CUDPPHandle plan;
void (*chosen)(real*) = &apply<add>;
void display() {
  cutilSafeCall(cudaGLMapBufferObject((void**)&chosen, buffer));
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  sort<<<1, kCount, sizeof(int) * kCount>>>((int*)0);
}
int main(int argc, char** argv) {
  if (cutCheckCmdLineFlag(argc, (const char**)argv, "device")) cutilDeviceInit(argc, argv);
  vector<vector<int> > lists(3);
  std::sort(lists[0].begin(), lists[0].end());
  for (size_t i = 0; i < lists.size(); i++) cout << lists[i].size() << endl;
  products<<<dim3(1), kCount>>>((float*)0);
  LAUNCH(apply<multiply>, 1, 32, (real*)0);
  everything<<<1, 1, 0, 0>>>(0, 1, 2, 3, 0, 0);
  cudppDestroyPlan(plan);
  cutilExit(argc, argv);
}
