// SPDX-License-Identifier: Apache-2.0
// MPICH over UCX polls without end while it waits. With more processes than cores, the one that has the
// message is then not running for milliseconds, at every message. Preloaded into such tests, this gives the
// core away when polls find nothing. Never part of a measurement.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <time.h>

enum { polls_before_sleep = 200 };

unsigned ucp_worker_progress(void* worker) {
  static unsigned (*progress)(void*) = NULL;
  static unsigned empty_polls = 0;
  if (progress == NULL) *(void**)&progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
  const unsigned events = progress(worker);
  empty_polls = events == 0 ? empty_polls + 1 : 0;
  if (empty_polls > polls_before_sleep) {
    const struct timespec shortest = {.tv_sec = 0, .tv_nsec = 1000};
    nanosleep(&shortest, NULL);
  }
  return events;
}
