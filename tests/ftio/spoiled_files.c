/* SPDX-License-Identifier: Apache-2.0
 * Spoils calls on files of FTIO when FTIO_SPOIL asks for it: "full@N" (no space from the Nth write on),
 * "unreadable@N" (error from the Nth read on), "flip@N" (a byte changes on disk after the Nth sync), "kill@N"
 * (the process is killed at the Nth write). FTIO_SPOIL_RANK: only in the process of that rank. Counting
 * begins anew when the word changes or is taken away. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static char word[64];
static long count;

static int is_ours(int descriptor) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strstr(path, "/ftio.") != NULL;
}

static int is_this_rank(void) {
  const char* wanted = getenv("FTIO_SPOIL_RANK");
  const char* rank = getenv("OMPI_COMM_WORLD_RANK");
  if (rank == NULL) rank = getenv("PMI_RANK");
  return wanted == NULL || rank == NULL || strcmp(wanted, rank) == 0;
}

/* Whether this call is the one, or a later one. */
static int reached(const char* kind, int descriptor) {
  const char* asked = getenv("FTIO_SPOIL");
  if (asked == NULL) word[0] = 0;
  if (asked == NULL || strncmp(asked, kind, strlen(kind)) != 0 || asked[strlen(kind)] != '@') return 0;
  if (!is_this_rank() || !is_ours(descriptor)) return 0;
  if (strcmp(asked, word) != 0) {
    snprintf(word, sizeof word, "%s", asked);
    count = 0;
  }
  return ++count >= atol(asked + strlen(kind) + 1);
}

ssize_t pwrite(int descriptor, const void* memory, size_t bytes, off_t offset) {
  if (reached("kill", descriptor)) raise(SIGKILL);
  if (reached("full", descriptor)) {
    errno = ENOSPC;
    return -1;
  }
  return syscall(SYS_pwrite64, descriptor, memory, bytes, offset);
}
ssize_t pwrite64(int descriptor, const void* memory, size_t bytes, off_t offset) {
  return pwrite(descriptor, memory, bytes, offset);
}

ssize_t pread(int descriptor, void* memory, size_t bytes, off_t offset) {
  if (reached("unreadable", descriptor)) {
    errno = EIO;
    return -1;
  }
  return syscall(SYS_pread64, descriptor, memory, bytes, offset);
}
ssize_t pread64(int descriptor, void* memory, size_t bytes, off_t offset) {
  return pread(descriptor, memory, bytes, offset);
}

/* The uppermost byte of the imaginary part of the fourth element: whatever it was, it becomes a
 * large number. */
static void flip(int descriptor) {
  unsigned char byte = 0;
  const off_t at = 3 * 16 + 15;
  if (syscall(SYS_pread64, descriptor, &byte, (size_t)1, at) != 1) return;
  byte = byte == 0x41 ? 0x42 : 0x41;
  syscall(SYS_pwrite64, descriptor, &byte, (size_t)1, at);
}

int fsync(int descriptor) {
  const int code = (int)syscall(SYS_fsync, descriptor);
  if (reached("flip", descriptor) && count == atol(getenv("FTIO_SPOIL") + strlen("flip@"))) flip(descriptor);
  return code;
}
