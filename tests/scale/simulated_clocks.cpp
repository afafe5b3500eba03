// SPDX-License-Identifier: Apache-2.0
// The clocks and pauses of the C library within this program: those of the simulation. Hidden, as the
// simulator itself goes by the clocks of this machine. Nor does the program hear of the processor time that this
// machine gives or refuses it: a busy machine would make the engine repeat visits.
#include <sched.h>
#include <smpi/smpi_helpers_internal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

extern "C" {

[[gnu::visibility("hidden")]] int clock_gettime(clockid_t clock, timespec* now) noexcept {
  return smpi_clock_gettime(clock, now);
}

[[gnu::visibility("hidden")]] int gettimeofday(timeval* now, void* zone) noexcept {
  return smpi_gettimeofday(now, static_cast<struct timezone*>(zone));
}

[[gnu::visibility("hidden")]] int nanosleep(const timespec* length, timespec* rest) {
  return smpi_nanosleep(length, rest);
}

[[gnu::visibility("hidden")]] int usleep(useconds_t microseconds) {
  return smpi_usleep(microseconds);
}

[[gnu::visibility("hidden")]] int getrusage(__rusage_who_t, rusage* used) noexcept {
  *used = {};
  return 0;
}

/// Reads the time that a thread waited for a processor (measure/probe.cpp), and nothing else in this program.
[[gnu::visibility("hidden")]] ssize_t pread(int, void*, size_t, off_t) {
  return -1;
}

[[gnu::visibility("hidden")]] int sched_getcpu() noexcept {
  return 0;
}

[[gnu::visibility("hidden")]] unsigned sleep(unsigned seconds) {
  return smpi_sleep(seconds);
}
}
