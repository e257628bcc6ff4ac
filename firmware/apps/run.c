/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a kernel from a file that the loader puts into memory, without a compiler of this processor:
 *
 *   gpgpu-vp --load kernel_file=k.cubin --arguments "KERNEL GRID BLOCK [PARAMETER ...]" run.elf
 *
 * GRID and BLOCK are 4, 4x2 or 8x4x2.  A PARAMETER is a word (17, -3, 0x1F, 1.5) or a buffer, of
 * which the kernel gets the address: zeros:WORDS, count:WORDS (0, 1, 2...), floats:WORDS (0.0,
 * 1.0...), or input:WORDS[@FIRST] from the file loaded as input_file.  With :d, :u, :x or :f at its
 * end a buffer is printed after the run.
 * Exit code: 0 the kernel ended, 1 it did not, 2 bad arguments or no kernel, 10 no GPGPU. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bsp/program.h"
#include "driver/gpgpu.h"

enum { kExitFailed = 1, kExitArguments = 2, kExitNoGpgpu = 10 };
enum { kTimeoutUs = 2000000000, kMostBytes = 4 << 20, kPerLine = 8 };

PROGRAM_FILE(kernel_file, kMostBytes);
PROGRAM_FILE(input_file, kMostBytes);

struct buffer {
  gpgpu_address address;
  uint32_t parameter, words;
  char format; /* of the printout; 0: none */
};

static struct gpgpu gpu;
static struct buffer buffers[FLEXGRIP_MAX_PARAMETERS];
static uint32_t parameters[FLEXGRIP_MAX_PARAMETERS];
static uint32_t buffer_count, parameter_count;

static void refuse(const char* word, const char* why) {
  printf("run: \"%s\": %s\n", word, why);
  printf(
      "usage: KERNEL GRID BLOCK [PARAMETER ...]; docs/firmware.md, \"A kernel without a "
      "compiler\"\n");
  exit(kExitArguments);
}

static void require(enum gpgpu_error error, const char* what) {
  if (error == GPGPU_OK) return;
  printf("run: %s: %s", what, gpgpu_error_string(error));
  if (error == GPGPU_FAULT) {
    char text[160];
    gpgpu_describe_fault(gpgpu_last_fault(&gpu), text, sizeof text);
    printf(": %s", text);
  } else if (error == GPGPU_BAD_IMAGE) {
    uint32_t line;
    const char* why = gpgpu_image_error(&line);
    printf(": line %lu: %s", (unsigned long)line, why);
  }
  printf("\n");
  exit(kExitFailed);
}

/* The whole of the text as a number. */
static bool number(const char* text, uint32_t* value) {
  char* end;
  const bool hexadecimal = strpbrk(text, "xX") != NULL;
  if (!hexadecimal && strpbrk(text, ".eE") != NULL) {
    const float real = strtof(text, &end);
    memcpy(value, &real, sizeof *value);
  } else if (text[0] == '-') {
    *value = (uint32_t)strtol(text, &end, 0);
  } else {
    *value = strtoul(text, &end, hexadecimal ? 16 : 10);
  }
  return end != text && *end == '\0';
}

/* "4", "4x2", "8x4x2"; what is missing is 1. */
static void extent(const char* word, uint32_t* sizes, unsigned most) {
  const char* text = word;
  for (unsigned i = 0; i < most; ++i) sizes[i] = 1;
  for (unsigned i = 0; i < most; ++i) {
    char* end;
    if (!isdigit((unsigned char)*text)) break;
    sizes[i] = strtoul(text, &end, 10);
    if (*end == '\0' && sizes[i] > 0) return;
    if (*end != 'x') break;
    text = end + 1;
  }
  refuse(word,
         most == 2 ? "not an extent such as 4 or 4x2" : "not an extent such as 64, 16x16 or 8x4x2");
}

static uint32_t input_word(const char* word, uint32_t index) {
  uint32_t value;
  if (index >= input_file_bytes / 4)
    refuse(word, "input_file has fewer words (gpgpu-vp --load input_file=FILE)");
  memcpy(&value, input_file + 4 * index, sizeof value);
  return value;
}

static uint32_t content(char kind, const char* word, uint32_t first, uint32_t i) {
  const float real = (float)i;
  uint32_t bits;
  switch (kind) {
    case 'c':
      return i;
    case 'f':
      memcpy(&bits, &real, sizeof bits);
      return bits;
    case 'i':
      return input_word(word, first + i);
    default:
      return 0;
  }
}

/* KIND:WORDS[@FIRST][:FORMAT] */
static void add_buffer(const char* word) {
  static const char* const kKinds[] = {"zeros:", "count:", "floats:", "input:"};
  const char* kind = NULL;
  for (unsigned i = 0; i < sizeof kKinds / sizeof kKinds[0]; ++i)
    if (strncmp(word, kKinds[i], strlen(kKinds[i])) == 0) kind = kKinds[i];
  if (kind == NULL) refuse(word, "neither a number nor a buffer (zeros:, count:, floats:, input:)");
  char* end;
  const uint32_t count = strtoul(word + strlen(kind), &end, 10);
  const uint32_t first = kind[0] == 'i' && *end == '@' ? strtoul(end + 1, &end, 10) : 0;
  const char format = end[0] == ':' ? end[1] : '\0';
  if (count == 0 || count > kMostBytes / 4 || (end[0] != '\0' && end[0] != ':') ||
      (format != '\0' && (strchr("duxf", format) == NULL || end[2] != '\0')) ||
      (end[0] == ':' && format == '\0'))
    refuse(word, "not a buffer such as zeros:64 or count:64:d");
  uint32_t* words = malloc(4 * count);
  if (words == NULL) refuse(word, "out of memory");
  for (uint32_t i = 0; i < count; ++i) words[i] = content(kind[0], word, first, i);
  struct buffer* buffer = &buffers[buffer_count++];
  *buffer = (struct buffer){.parameter = parameter_count, .words = count, .format = format};
  require(gpgpu_allocate(&gpu, 4 * count, &buffer->address), word);
  require(gpgpu_copy_to_device(&gpu, buffer->address, words, 4 * count), word);
  parameters[parameter_count] = buffer->address;
  free(words);
}

static void print(const struct buffer* buffer) {
  uint32_t* words = malloc(4 * buffer->words);
  if (words == NULL) require(GPGPU_OUT_OF_MEMORY, "print");
  require(gpgpu_copy_from_device(&gpu, words, buffer->address, 4 * buffer->words), "copy back");
  printf("parameter %lu:\n", (unsigned long)buffer->parameter);
  for (uint32_t i = 0; i < buffer->words; ++i) {
    float real;
    memcpy(&real, &words[i], sizeof real);
    if (i % kPerLine == 0) printf("%6lu:", (unsigned long)i);
    switch (buffer->format) {
      case 'd':
        printf(" %ld", (long)(int32_t)words[i]);
        break;
      case 'u':
        printf(" %lu", (unsigned long)words[i]);
        break;
      case 'f':
        printf(" %g", (double)real);
        break;
      default:
        printf(" %08lx", (unsigned long)words[i]);
    }
    if (i % kPerLine == kPerLine - 1 || i + 1 == buffer->words) printf("\n");
  }
  free(words);
}

int main(void) {
  char text[PROGRAM_ARGUMENT_BYTES];
  strcpy(text, program_arguments());
  char* const name = strtok(text, " ");
  if (name == NULL) refuse("", "no arguments (gpgpu-vp --arguments \"KERNEL GRID BLOCK ...\")");
  if (kernel_file_bytes == 0) refuse(name, "no cubin (gpgpu-vp --load kernel_file=FILE.cubin)");
  char* const grid = strtok(NULL, " ");
  char* const block = grid == NULL ? NULL : strtok(NULL, " ");
  if (block == NULL) refuse(name, "GRID and BLOCK are missing");
  uint32_t grid_size[2], block_size[3];
  extent(grid, grid_size, 2);
  extent(block, block_size, 3);

  if (gpgpu_open(&gpu) != GPGPU_OK) {
    printf("run: no GPGPU\n");
    return kExitNoGpgpu;
  }
  struct gpgpu_module* module;
  const struct gpgpu_function* function;
  require(gpgpu_module_load(&gpu, kernel_file, kernel_file_bytes, &module), "kernel_file");
  require(gpgpu_module_function(module, name, &function), name);
  for (char* word; (word = strtok(NULL, " ")) != NULL; ++parameter_count) {
    if (parameter_count == FLEXGRIP_MAX_PARAMETERS) refuse(word, "too many parameters");
    if (!number(word, &parameters[parameter_count])) add_buffer(word);
  }
  const struct gpgpu_launch launch = {grid_size[0],  grid_size[1],   block_size[0],
                                      block_size[1], block_size[2],  0,
                                      parameters,    parameter_count};
  require(gpgpu_start(&gpu, function, &launch), name);
  require(gpgpu_wait(&gpu, kTimeoutUs), name);
  struct gpgpu_counters counters;
  gpgpu_read_counters(&gpu, &counters);
  for (uint32_t i = 0; i < buffer_count; ++i)
    if (buffers[i].format != '\0') print(&buffers[i]);
  printf("%s: %llu cycles, %llu thread instructions\n", name, (unsigned long long)counters.cycles,
         (unsigned long long)counters.thread_instructions);
  return 0;
}
