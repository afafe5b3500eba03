// SPDX-License-Identifier: Apache-2.0
// A switch between network namespaces whose cables have a length and a width.
//   wire PID... : [PORT BYTE_S]... : [FROM TO DELAY_US BYTE_S]...
// Makes a device eth0 (in our own namespace, PID 0, sybr0) in the network namespace of every PID and carries frames
// between them: out of a port at no more than its rate, from port to port after the delay and at no more than the
// rate of the pair. What is not named is as fast as this program. Says "ready", and ends when it is killed.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum {
  most_ports = 16,
  frame_byte = 65536,
  address_byte = 6,
  most_waiting_byte = 64 << 20,
  most_at_once = 32
};

struct frame {
  struct frame* next;
  double due_s;
  size_t length;
  char bytes[];
};

// From one port to another.
struct way {
  double delay_s, byte_s, free_s;
  size_t waiting_byte;
  struct frame *first, *last;
};

struct port {
  int device;
  double byte_s, free_s;
  unsigned char address[address_byte];
  int known;  // whether the address is
  struct way to[most_ports];
};

static struct port ports[most_ports];
static int number;

static void fail(const char* what) {
  perror(what);
  exit(1);
}

static double now_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void enter(const char* process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%s/ns/net", process);
  const int space = open(path, O_RDONLY | O_CLOEXEC);
  if (space < 0 || setns(space, CLONE_NEWNET) != 0) fail(path);
  close(space);
}

static int device_in(const char* process) {
  const int own = strcmp(process, "0") == 0;
  if (!own) enter(process);
  const int device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
  strcpy(request.ifr_name, own ? "sybr0" : "eth0");
  if (device < 0 || ioctl(device, TUNSETIFF, &request) != 0) fail("/dev/net/tun");
  if (!own) enter("1");  // the first process of our own namespace
  return device;
}

static double later(double a, double b) {
  return a > b ? a : b;
}

static void take(struct port* from, struct way* way, const char* bytes, size_t length) {
  if (way->waiting_byte > most_waiting_byte) return;
  struct frame* frame = malloc(sizeof *frame + length);
  if (frame == NULL) fail("malloc");
  double out_s = now_s();
  if (from->byte_s > 0) out_s = from->free_s = later(out_s, from->free_s) + (double)length / from->byte_s;
  if (way->byte_s > 0) out_s = way->free_s = later(out_s, way->free_s) + (double)length / way->byte_s;
  frame->next = NULL;
  frame->due_s = out_s + way->delay_s;
  frame->length = length;
  memcpy(frame->bytes, bytes, length);
  if (way->first == NULL)
    way->first = frame;
  else
    way->last->next = frame;
  way->last = frame;
  way->waiting_byte += length;
}

// To the port of the address, to all others where it is not known.
static void forward(int from, const char* bytes, size_t length) {
  struct port* port = &ports[from];
  memcpy(port->address, bytes + address_byte, address_byte);
  port->known = 1;
  for (int to = 0; to < number; ++to)
    if (to != from && ports[to].known && memcmp(ports[to].address, bytes, address_byte) == 0)
      return take(port, &port->to[to], bytes, length);
  for (int to = 0; to < number; ++to)
    if (to != from) take(port, &port->to[to], bytes, length);
}

// Frames whose time has come; the time of the next one, or a second from now.
static double deliver(void) {
  const double now = now_s();
  double next = now + 1;
  for (int from = 0; from < number; ++from)
    for (int to = 0; to < number; ++to) {
      struct way* way = &ports[from].to[to];
      while (way->first != NULL && way->first->due_s <= now) {
        struct frame* frame = way->first;
        if (write(ports[to].device, frame->bytes, frame->length) < 0 && errno == EAGAIN) break;
        way->first = frame->next;
        way->waiting_byte -= frame->length;
        free(frame);
      }
      if (way->first != NULL && way->first->due_s < next) next = way->first->due_s;
    }
  return next - now;
}

static void carry(void) {
  static char bytes[frame_byte];
  struct pollfd waiting[most_ports];
  for (;;) {
    const double wait_s = later(deliver(), 0);
    const struct timespec wait = {.tv_sec = (time_t)wait_s,
                                  .tv_nsec = (long)(1e9 * (wait_s - (double)(time_t)wait_s))};
    for (int i = 0; i < number; ++i) waiting[i] = (struct pollfd){.fd = ports[i].device, .events = POLLIN};
    ppoll(waiting, (nfds_t)number, &wait, NULL);
    for (int i = 0; i < number; ++i)
      for (ssize_t length = 1, turn = 0; length > 0 && turn < most_at_once; ++turn)
        if ((length = read(ports[i].device, bytes, sizeof bytes)) > 0) forward(i, bytes, (size_t)length);
  }
}

int main(int count, char** words) {
  int at = 1;
  for (; at < count && strcmp(words[at], ":") != 0; ++at) ports[number++].device = device_in(words[at]);
  for (++at; at + 1 < count && strcmp(words[at], ":") != 0; at += 2)
    ports[atoi(words[at])].byte_s = atof(words[at + 1]);
  for (++at; at + 3 < count; at += 4) {
    struct way* way = &ports[atoi(words[at])].to[atoi(words[at + 1])];
    way->delay_s = 1e-6 * atof(words[at + 2]);
    way->byte_s = atof(words[at + 3]);
  }
  puts("ready");
  fflush(stdout);
  carry();
}
