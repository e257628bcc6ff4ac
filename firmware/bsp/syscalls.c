/* SPDX-License-Identifier: Apache-2.0 */
/* What newlib asks of an operating system: the console as files 0 to 2, a heap, an end. */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bsp/console.h"
#include "bsp/program.h"

extern char _heap_start[], _heap_end[];

ssize_t write(int file, const void* data, size_t length) {
  if (file != 1 && file != 2) {
    errno = EBADF;
    return -1;
  }
  console_write(data, length);
  return (ssize_t)length;
}

/* A line, or what fits: waits for the first character only. */
ssize_t read(int file, void* data, size_t length) {
  if (file != 0) {
    errno = EBADF;
    return -1;
  }
  char* text = data;
  size_t count = 0;
  while (count < length) {
    const int character = console_read();
    if (character < 0) {
      if (count > 0) break;
      continue;
    }
    text[count++] = (char)(character == '\r' ? '\n' : character);
    if (text[count - 1] == '\n') break;
  }
  return (ssize_t)count;
}

void* sbrk(ptrdiff_t increment) {
  static char* end = _heap_start;
  if (increment > _heap_end - end || increment < _heap_start - end) {
    errno = ENOMEM;
    return (void*)-1;
  }
  char* previous = end;
  end += increment;
  return previous;
}

void _exit(int code) { program_stop(code); }

int close(int file) {
  (void)file;
  errno = EBADF;
  return -1;
}

int fstat(int file, struct stat* status) {
  if (file < 0 || file > 2) {
    errno = EBADF;
    return -1;
  }
  status->st_mode = S_IFCHR;
  return 0;
}

int isatty(int file) { return file >= 0 && file <= 2; }

off_t lseek(int file, off_t offset, int whence) {
  (void)file;
  (void)offset;
  (void)whence;
  errno = ESPIPE;
  return -1;
}

pid_t getpid(void) { return 1; }

int kill(pid_t process, int signal) {
  (void)process;
  program_stop(128 + signal > 123 ? 123 : 128 + signal);
}
