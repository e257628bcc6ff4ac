/* SPDX-License-Identifier: Apache-2.0 */
/* What newlib needs of an operating system, for GCC's execution tests: memory, and output that goes
 * nowhere. */
#include <stddef.h>

extern char _heap_start[];
extern char _heap_end[];
void _exit(int code) __attribute__((noreturn));

void* sbrk(ptrdiff_t increment) {
  static char* end;
  if (end == NULL) end = _heap_start;
  if (end + increment > _heap_end || end + increment < _heap_start) return (void*)-1;
  char* const old = end;
  end += increment;
  return old;
}

int write(int file, const void* data, size_t size) {
  (void)file;
  (void)data;
  return (int)size;
}
int read(int file, void* data, size_t size) {
  (void)file;
  (void)data;
  (void)size;
  return 0;
}
int close(int file) { return (void)file, -1; }
int isatty(int file) { return (void)file, 1; }
long lseek(int file, long offset, int from) { return (void)file, (void)offset, (void)from, 0; }
int fstat(int file, void* status) { return (void)file, (void)status, -1; }
int getpid(void) { return 1; }
int kill(int process, int signal) {
  (void)process;
  _exit(128 + signal);
}
