// SPDX-License-Identifier: Apache-2.0
#include "campaign/mailbox.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <random>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

namespace steelyard::campaign {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t longest_byte = std::size_t{64} << 10;
constexpr milliseconds time_to_connect{3000};
constexpr milliseconds time_to_talk{2000};
constexpr char taken = '+';
constexpr int waiting_at_once = 1024;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] bool valid() const { return number_ >= 0; }
  [[nodiscard]] int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

Descriptor open_socket(int family) {
  return Descriptor(socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

class Place {
 public:
  Place() = default;
  template <class Address>
  explicit Place(const Address& address, std::size_t length = sizeof(Address))
      : length_(static_cast<socklen_t>(length)) {
    std::memcpy(&address_, &address, length);
  }
  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address_); }
  [[nodiscard]] socklen_t length() const { return length_; }
  /// Buffer for calls that write an address.
  [[nodiscard]] sockaddr* put() { return reinterpret_cast<sockaddr*>(&address_); }
  [[nodiscard]] socklen_t* put_length() { return &length_; }
  [[nodiscard]] int family() const { return address_.ss_family; }

 private:
  sockaddr_storage address_{};
  socklen_t length_ = sizeof(sockaddr_storage);
};

/// Place of a socket of this host that is in no file system: Linux's abstract names.
Place place_here(const std::string& secret) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = "steelyard-" + secret;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  return Place(address, offsetof(sockaddr_un, sun_path) + 1 + name.size());
}

Place place_of(const in6_addr& host, std::uint16_t port) {
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_addr = host;
  address.sin6_port = htons(port);
  return Place(address);
}

Place place_of(const in_addr& host, std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr = host;
  address.sin_port = htons(port);
  return Place(address);
}

std::optional<Place> place_of(const std::string& host, std::uint16_t port) {
  in_addr four{};
  if (inet_pton(AF_INET, host.c_str(), &four) == 1) return place_of(four, port);
  in6_addr six{};
  if (inet_pton(AF_INET6, host.c_str(), &six) == 1) return place_of(six, port);
  return std::nullopt;
}

/// Address of the type that its family tells.
template <class Kind>
const Kind& as(const sockaddr* address) {
  return *static_cast<const Kind*>(static_cast<const void*>(address));
}

/// Numeric addresses under which other hosts may find this one.
std::vector<std::string> own_hosts() {
  std::vector<std::string> hosts;
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return hosts;
  for (const ifaddrs* one = list; one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr == nullptr || (one->ifa_flags & IFF_UP) == 0 || (one->ifa_flags & IFF_LOOPBACK) != 0)
      continue;
    std::array<char, INET6_ADDRSTRLEN> text{};
    const void* number = nullptr;
    if (one->ifa_addr->sa_family == AF_INET) number = &as<sockaddr_in>(one->ifa_addr).sin_addr;
    if (one->ifa_addr->sa_family == AF_INET6) {
      const auto& six = as<sockaddr_in6>(one->ifa_addr).sin6_addr;
      if (!IN6_IS_ADDR_LINKLOCAL(&six)) number = &six;
    }
    if (number != nullptr && inet_ntop(one->ifa_addr->sa_family, number, text.data(), text.size()) != nullptr)
      hosts.emplace_back(text.data());
  }
  freeifaddrs(list);
  return hosts;
}

std::string make_secret() {
  std::random_device random;
  std::ostringstream text;
  text << std::hex << random() << random() << random() << random();
  return text.str();
}

int left_ms(Clock::time_point until) {
  const auto left = std::chrono::duration_cast<milliseconds>(until - Clock::now()).count();
  return static_cast<int>(std::max<std::int64_t>(left, 0));
}

bool ready(int socket, short what, Clock::time_point until) {
  pollfd one{socket, what, 0};
  for (;;) {
    const int found = poll(&one, 1, left_ms(until));
    if (found > 0) return (one.revents & what) != 0;
    if (found == 0 || errno != EINTR) return false;
  }
}

bool write_all(int socket, std::string_view text, Clock::time_point until) {
  while (!text.empty()) {
    const ssize_t sent = send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent > 0)
      text.remove_prefix(static_cast<std::size_t>(sent));
    else if (!(sent < 0 && (errno == EAGAIN || errno == EINTR)) || !ready(socket, POLLOUT, until))
      return false;
  }
  return true;
}

/// Reads up to the line end, which is not returned.
std::optional<std::string> read_line(int socket, Clock::time_point until) {
  std::string text;
  std::array<char, 4096> piece{};
  while (text.size() <= longest_byte) {
    const ssize_t came = recv(socket, piece.data(), piece.size(), 0);
    if (came > 0) {
      text.append(piece.data(), static_cast<std::size_t>(came));
      if (text.ends_with('\n')) return text.substr(0, text.size() - 1);
    } else if (!(came < 0 && (errno == EAGAIN || errno == EINTR)) || !ready(socket, POLLIN, until)) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

/// Connects to the first of these places that answers.
Descriptor connect_to_any(const std::vector<Place>& places) {
  const auto until = Clock::now() + time_to_connect;
  std::vector<Descriptor> tried;
  std::vector<pollfd> open;
  for (const Place& place : places) {
    Descriptor socket = open_socket(place.family());
    if (!socket.valid()) continue;
    if (connect(socket.get(), place.get(), place.length()) == 0) return socket;
    if (errno != EINPROGRESS) continue;
    open.push_back({socket.get(), POLLOUT, 0});
    tried.push_back(std::move(socket));
  }
  while (!open.empty()) {
    const int found = poll(open.data(), open.size(), left_ms(until));
    if (found == 0 || (found < 0 && errno != EINTR)) break;
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (open[i].revents == 0) continue;
      int error = 0;
      socklen_t length = sizeof error;
      getsockopt(open[i].fd, SOL_SOCKET, SO_ERROR, &error, &length);
      if (error == 0) return std::move(tried[i]);
      open[i].fd = -1;  // poll skips it
    }
    if (std::ranges::all_of(open, [](const pollfd& one) { return one.fd < 0; })) break;
  }
  return Descriptor(-1);
}

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

Mailbox::Mailbox(bool other_hosts) : secret_(make_secret()), address_(secret_) {
  wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake_ < 0) fail("eventfd");
  listen_here();
  if (other_hosts) listen_to_others();
}

Mailbox::~Mailbox() {
  for (const int listener : listeners_) close(listener);
  close(wake_);
}

void Mailbox::listen_here() {
  Descriptor socket = open_socket(AF_UNIX);
  const Place place = place_here(secret_);
  if (!socket.valid() || bind(socket.get(), place.get(), place.length()) != 0 ||
      listen(socket.get(), waiting_at_once) != 0) {
    close(wake_);
    fail("socket");
  }
  listeners_.push_back(socket.release());
}

/// Opens a port for other hosts; without a network there are none.
void Mailbox::listen_to_others() {
  Descriptor socket = open_socket(AF_INET6);
  Place any = place_of(in6addr_any, 0);
  int both = 0;
  if (socket.valid()) setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &both, sizeof both);
  if (!socket.valid() || bind(socket.get(), any.get(), any.length()) != 0) {
    socket = open_socket(AF_INET);
    any = place_of(in_addr{INADDR_ANY}, 0);
    if (!socket.valid() || bind(socket.get(), any.get(), any.length()) != 0) return;
  }
  if (listen(socket.get(), waiting_at_once) != 0) return;
  Place own;
  if (getsockname(socket.get(), own.put(), own.put_length()) != 0) return;
  const auto port = ntohs(own.family() == AF_INET6 ? as<sockaddr_in6>(own.get()).sin6_port
                                                   : as<sockaddr_in>(own.get()).sin_port);
  address_ += ' ' + std::to_string(port);
  for (const std::string& host : own_hosts()) address_ += ' ' + host;
  listeners_.push_back(socket.release());
}

std::optional<std::string> Mailbox::take(int listener) const {
  const Descriptor from(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!from.valid()) return std::nullopt;
  const auto until = Clock::now() + time_to_talk;
  auto line = read_line(from.get(), until);
  if (!line || !line->starts_with(secret_ + ' ')) return std::nullopt;
  static_cast<void>(write_all(from.get(), {&taken, 1}, until));
  return line->substr(secret_.size() + 1);
}

std::optional<std::string> Mailbox::wait(std::optional<milliseconds> patience) {
  const auto until = Clock::now() + patience.value_or(milliseconds{0});
  std::vector<pollfd> all{{wake_, POLLIN, 0}};
  for (const int listener : listeners_) all.push_back({listener, POLLIN, 0});
  for (;;) {
    const int found = poll(all.data(), all.size(), patience ? left_ms(until) : -1);
    if (found < 0 && errno == EINTR) continue;
    if (found <= 0) return std::nullopt;
    for (std::size_t i = 1; i < all.size(); ++i)
      if (all[i].revents != 0)
        if (auto message = take(all[i].fd)) return message;
    if (all.front().revents == 0) continue;
    std::uint64_t count = 0;
    static_cast<void>(!read(wake_, &count, sizeof count));
    return std::nullopt;
  }
}

void Mailbox::wake() {
  const std::uint64_t one = 1;
  static_cast<void>(!write(wake_, &one, sizeof one));
}

bool post(const std::string& address, const std::string& message) {
  std::istringstream words(address);
  std::string secret, host;
  words >> secret;
  const auto deliver = [&](const Descriptor& to) {
    const auto until = Clock::now() + time_to_talk;
    char answer = 0;
    return to.valid() && write_all(to.get(), secret + ' ' + message + '\n', until) &&
           ready(to.get(), POLLIN, until) && recv(to.get(), &answer, 1, 0) == 1 && answer == taken;
  };
  if (deliver(connect_to_any({place_here(secret)}))) return true;
  std::uint16_t port = 0;
  if (!(words >> port)) return false;
  std::vector<Place> places;
  while (words >> host)
    if (const auto place = place_of(host, port)) places.push_back(*place);
  return deliver(connect_to_any(places));
}

}  // namespace steelyard::campaign
