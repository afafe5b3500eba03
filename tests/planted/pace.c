// SPDX-License-Identifier: Apache-2.0
// Preloaded by a test: a disk that is written to at STEELYARD_TEST_PACE_BYTE_S by each process. Counts what goes into files of
// b_eff_io alone.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static int is_paced(int file) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = '\0';
  return strstr(path, "b_eff_io") != NULL;
}

static ssize_t paced(int file, ssize_t byte) {
  const char* rate = getenv("STEELYARD_TEST_PACE_BYTE_S");
  if (byte <= 0 || rate == NULL || !is_paced(file)) return byte;
  const double time_s = (double)byte / atof(rate);
  const struct timespec time = {.tv_sec = (time_t)time_s,
                                .tv_nsec = (long)(1e9 * (time_s - (double)(time_t)time_s))};
  nanosleep(&time, NULL);
  return byte;
}

static void* next(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (found == NULL) abort();
  return found;
}

ssize_t write(int file, const void* data, size_t size) {
  ssize_t (*real)(int, const void*, size_t) = (ssize_t(*)(int, const void*, size_t))next("write");
  return paced(file, real(file, data, size));
}

ssize_t pwrite(int file, const void* data, size_t size, off_t at) {
  ssize_t (*real)(int, const void*, size_t, off_t) =
      (ssize_t(*)(int, const void*, size_t, off_t))next("pwrite");
  return paced(file, real(file, data, size, at));
}

ssize_t pwrite64(int file, const void* data, size_t size, off64_t at) {
  ssize_t (*real)(int, const void*, size_t, off64_t) =
      (ssize_t(*)(int, const void*, size_t, off64_t))next("pwrite64");
  return paced(file, real(file, data, size, at));
}

ssize_t writev(int file, const struct iovec* parts, int count) {
  ssize_t (*real)(int, const struct iovec*, int) = (ssize_t(*)(int, const struct iovec*, int))next("writev");
  return paced(file, real(file, parts, count));
}

ssize_t pwritev(int file, const struct iovec* parts, int count, off_t at) {
  ssize_t (*real)(int, const struct iovec*, int, off_t) =
      (ssize_t(*)(int, const struct iovec*, int, off_t))next("pwritev");
  return paced(file, real(file, parts, count, at));
}

ssize_t pwritev64(int file, const struct iovec* parts, int count, off64_t at) {
  ssize_t (*real)(int, const struct iovec*, int, off64_t) =
      (ssize_t(*)(int, const struct iovec*, int, off64_t))next("pwritev64");
  return paced(file, real(file, parts, count, at));
}
