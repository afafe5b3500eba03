// SPDX-License-Identifier: Apache-2.0
// Processes of Open MPI that yield while they wait still take every moment that no other process wants, and tests
// that run side by side then spend half of the processors' time on waiting. Preloaded into tests, this lets a process
// sleep that has yielded again and again without doing anything in between. Never part of a measurement.
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { yields_before_sleep = 300, longest_poll_ns = 100000 };

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int sched_yield(void) {
  static __thread unsigned yields = 0;
  static __thread int64_t left_ns = 0;
  yields = now_ns() - left_ns < longest_poll_ns ? yields + 1 : 0;
  int result = 0;
  if (yields > yields_before_sleep) {
    const struct timespec shortest = {.tv_sec = 0, .tv_nsec = 1000};
    nanosleep(&shortest, NULL);
  } else {
    result = (int)syscall(SYS_sched_yield);
  }
  left_ns = now_ns();
  return result;
}
