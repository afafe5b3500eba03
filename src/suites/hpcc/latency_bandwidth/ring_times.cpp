// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/latency_bandwidth/ring_times.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "mpi/error.hpp"
#include "stats/order.hpp"

namespace steelyard::hpcc {
namespace {

constexpr double never = std::numeric_limits<double>::max();

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

/// Counts of pairs, summed over ranks.
using Counts = std::array<std::int64_t, 5>;

class Spread {
 public:
  Spread(const mpi::Communicator& world, std::span<const PairTime> own, const std::vector<int>& place_of)
      : world_(world), own_(own), place_of_(place_of) {}

  PairSpread find() {
    const int places = *std::ranges::max_element(place_of_) + 1;
    const auto best = fastest_of_places(places, &PairTime::best_s);
    auto measured = best;
    std::erase(measured, never);
    if (measured.empty()) return {};
    found_.places = static_cast<int>(measured.size());
    found_.typical_s = stats::median(measured);
    auto worst = fastest_of_places(places, &PairTime::worst_s);
    std::erase(worst, never);
    found_.typical_worst_s = stats::median(worst);
    find_slowest_place(best);
    find_slowest_pair();
    count();
    return found_;
  }

 private:
  [[nodiscard]] int place(int rank) const { return place_of_[at(rank)]; }
  [[nodiscard]] bool leaves_its_place(const PairTime& pair) const {
    return place(pair.client) != place(pair.server);
  }

  /// Least time of the pairs of each place; `never` if it has none.
  [[nodiscard]] std::vector<double> fastest_of_places(int places, double PairTime::*time) const {
    std::vector<double> mine(at(places), never), all(at(places));
    for (const PairTime& pair : own_) {
      if (!leaves_its_place(pair)) continue;
      for (const int rank : {pair.client, pair.server})
        mine[at(place(rank))] = std::min(mine[at(place(rank))], pair.*time);
    }
    mpi::check(MPI_Allreduce(mine.data(), all.data(), places, MPI_DOUBLE, MPI_MIN, world_.get()),
               "MPI_Allreduce");
    return all;
  }

  void find_slowest_place(std::vector<double> best) {
    for (double& time : best) time = time == never ? 0 : time;
    const auto slowest = std::ranges::max_element(best);
    slowest_place_ = static_cast<int>(slowest - best.begin());
    found_.place_s = *slowest;
    found_.place_rank = static_cast<int>(std::ranges::find(place_of_, slowest_place_) - place_of_.begin());
  }

  void find_slowest_pair() {
    const PairTime* mine = nullptr;
    for (const PairTime& pair : own_)
      if (leaves_its_place(pair) && (mine == nullptr || pair.best_s > mine->best_s)) mine = &pair;
    struct {
      double time;
      int rank;
    } here{mine == nullptr ? 0 : mine->best_s, world_.rank()}, slowest{};
    mpi::check(MPI_Allreduce(&here, &slowest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, world_.get()), "MPI_Allreduce");
    std::array<int, 2> pair{};
    if (world_.rank() == slowest.rank && mine != nullptr) pair = {mine->client, mine->server};
    world_.broadcast(std::span<int>(pair), slowest.rank);
    found_.slowest_s = slowest.time;
    found_.client = pair[0];
    found_.server = pair[1];
  }

  void count() {
    const double middle = std::sqrt(found_.slowest_s * found_.typical_s);
    const int one = place(found_.client), other = place(found_.server);
    Counts mine{}, all{};
    for (const PairTime& pair : own_) {
      if (!leaves_its_place(pair)) continue;
      const int a = place(pair.client), b = place(pair.server);
      const bool slow = pair.best_s > middle, between = (a == one && b == other) || (a == other && b == one),
                 with = a == slowest_place_ || b == slowest_place_;
      const std::array<bool, 5> counts{slow, between, slow && between, with, slow && with};
      for (std::size_t i = 0; i < counts.size(); ++i) mine[i] += counts[i] ? 1 : 0;
    }
    mpi::check(MPI_Allreduce(mine.data(), all.data(), static_cast<int>(mine.size()), MPI_INT64_T, MPI_SUM,
                             world_.get()),
               "MPI_Allreduce");
    found_.slow = all[0];
    found_.between = all[1];
    found_.slow_between = all[2];
    found_.with_place = all[3];
    found_.slow_with_place = all[4];
  }

  const mpi::Communicator& world_;
  std::span<const PairTime> own_;
  const std::vector<int>& place_of_;
  int slowest_place_ = 0;
  PairSpread found_;
};

constexpr int to_left_tag = 71, to_right_tag = 72;

/// One process's place in the rings: a buffer for each direction and side.
class Place {
 public:
  Place(const mpi::Communicator& comm, const RingRule& rule, double enough_s)
      : comm_(comm),
        loops_(rule.ring_loops),
        enough_s_(enough_s),
        to_left_(rule.message_byte),
        to_right_(rule.message_byte),
        from_left_(rule.message_byte),
        from_right_(rule.message_byte) {}

  /// Time of one message by the faster of both ways on this process.
  double fastest(const Neighbours& beside) {
    const double sendrecv = timed(beside, [this](const Neighbours& b) { exchange_both(b); });
    const double nonblocking = loop(beside, [this](const Neighbours& b) { exchange_at_once(b); });
    return std::min(sendrecv, nonblocking) / (2.0 * loops_);
  }

  [[nodiscard]] std::int64_t wrong() const { return wrong_; }

 private:
  /// Seconds of a loop, which grows until it is long enough on any process.
  template <class Exchange>
  double timed(const Neighbours& beside, Exchange exchange) {
    for (;; loops_ = longer_loop(loops_)) {
      const double seconds = loop(beside, exchange);
      if (comm_.max(seconds) >= enough_s_) return seconds;
    }
  }

  template <class Exchange>
  double loop(const Neighbours& beside, Exchange exchange) {
    double start = 0;
    for (int i = 0; i <= loops_; ++i) {
      if (i == 1) start = MPI_Wtime();
      to_left_.mark(i + comm_.rank() + 1);
      to_right_.mark(i + comm_.rank() + 2);
      exchange(beside);
      wrong_ += from_left_.marked(i + beside.left + 2) ? 0 : 1;
      wrong_ += from_right_.marked(i + beside.right + 1) ? 0 : 1;
    }
    return MPI_Wtime() - start;
  }

  void exchange_both(const Neighbours& beside) {
    shift(to_right_, beside.right, from_left_, beside.left, to_right_tag);
    shift(to_left_, beside.left, from_right_, beside.right, to_left_tag);
  }

  void shift(MarkedBuffer& send, int to, MarkedBuffer& receive, int from, int tag) const {
    mpi::check(MPI_Sendrecv(send.data(), send.size(), MPI_BYTE, to, tag, receive.data(), receive.size(),
                            MPI_BYTE, from, tag, comm_.get(), MPI_STATUS_IGNORE),
               "MPI_Sendrecv");
  }

  void exchange_at_once(const Neighbours& beside) {
    std::array<MPI_Request, 4> requests;
    const auto receive = [&](MarkedBuffer& buffer, int from, int tag, MPI_Request& request) {
      mpi::check(MPI_Irecv(buffer.data(), buffer.size(), MPI_BYTE, from, tag, comm_.get(), &request),
                 "MPI_Irecv");
    };
    const auto send = [&](MarkedBuffer& buffer, int to, int tag, MPI_Request& request) {
      mpi::check(MPI_Isend(buffer.data(), buffer.size(), MPI_BYTE, to, tag, comm_.get(), &request),
                 "MPI_Isend");
    };
    receive(from_left_, beside.left, to_right_tag, requests[0]);
    receive(from_right_, beside.right, to_left_tag, requests[1]);
    send(to_right_, beside.right, to_right_tag, requests[2]);
    send(to_left_, beside.left, to_left_tag, requests[3]);
    mpi::check(MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  }

  const mpi::Communicator& comm_;
  int loops_;
  double enough_s_;
  MarkedBuffer to_left_, to_right_, from_left_, from_right_;
  std::int64_t wrong_ = 0;
};

constexpr int length_tag = 61, ping_tag = 62, pong_tag = 63, token_tag = 64;
constexpr int server_shift = 13;
constexpr int no_more = 0;

/// Both sides of the ping-pong on one process.
class Player {
 public:
  Player(const mpi::Communicator& comm, const RingRule& rule, double enough_s)
      : comm_(comm), loops_(rule.ping_pong_loops), enough_s_(enough_s), buffer_(rule.message_byte) {}

  /// One-way time; the loop grows until it is long enough, and stays so for later pairs.
  double client(int server) {
    for (;; loops_ = longer_loop(loops_)) {
      tell(server, loops_);
      const double seconds = round_trips(server);
      if (seconds < enough_s_) continue;
      tell(server, no_more);
      return seconds / (2.0 * loops_);
    }
  }

  void server(int client) {
    for (int loops = ask(client); loops != no_more; loops = ask(client))
      for (int i = 0; i <= loops; ++i) {
        receive(client, ping_tag, i + client + 1);
        buffer_.mark(i + client + 1 + server_shift);
        send(client, pong_tag);
      }
  }

  [[nodiscard]] std::int64_t wrong() const { return wrong_; }

 private:
  double round_trips(int server) {
    double start = 0;
    for (int i = 0; i <= loops_; ++i) {
      if (i == 1) start = MPI_Wtime();
      buffer_.mark(i + comm_.rank() + 1);
      send(server, ping_tag);
      receive(server, pong_tag, i + comm_.rank() + 1 + server_shift);
    }
    return MPI_Wtime() - start;
  }

  void tell(int server, int loops) const {
    mpi::check(MPI_Send(&loops, 1, MPI_INT, server, length_tag, comm_.get()), "MPI_Send");
  }
  [[nodiscard]] int ask(int client) const {
    int loops = no_more;
    mpi::check(MPI_Recv(&loops, 1, MPI_INT, client, length_tag, comm_.get(), MPI_STATUS_IGNORE), "MPI_Recv");
    return loops;
  }
  void send(int to, int tag) {
    mpi::check(MPI_Send(buffer_.data(), buffer_.size(), MPI_BYTE, to, tag, comm_.get()), "MPI_Send");
  }
  void receive(int from, int tag, int mark) {
    mpi::check(MPI_Recv(buffer_.data(), buffer_.size(), MPI_BYTE, from, tag, comm_.get(), MPI_STATUS_IGNORE),
               "MPI_Recv");
    wrong_ += buffer_.marked(mark) ? 0 : 1;
  }

  const mpi::Communicator& comm_;
  int loops_;
  double enough_s_;
  MarkedBuffer buffer_;
  std::int64_t wrong_ = 0;
};

using Pairs = std::vector<std::pair<int, int>>;

/// Token that the clients pass on, one after the other; everybody else waits in a receive.
class Token {
 public:
  Token(const mpi::Communicator& comm, const Pairs& pairs) : comm_(comm) {
    for (const auto& [client, server] : pairs)
      if (clients_.empty() || clients_.back() != client) clients_.push_back(client);
  }
  void take(int client) const {
    if (comm_.rank() != client || client == clients_.front()) return;
    mpi::check(MPI_Recv(nullptr, 0, MPI_BYTE, *(at(client) - 1), token_tag, comm_.get(), MPI_STATUS_IGNORE),
               "MPI_Recv");
  }
  void pass(int client) const {
    if (comm_.rank() != client || client == clients_.back()) return;
    mpi::check(MPI_Send(nullptr, 0, MPI_BYTE, *(at(client) + 1), token_tag, comm_.get()), "MPI_Send");
  }
  [[nodiscard]] int last() const { return clients_.back(); }
  [[nodiscard]] const std::vector<int>& clients() const { return clients_; }

 private:
  [[nodiscard]] std::vector<int>::const_iterator at(int client) const {
    return std::ranges::find(clients_, client);
  }
  const mpi::Communicator& comm_;
  std::vector<int> clients_;
};

void note(PairTime& pair, double time_s) {
  pair.best_s = std::min(pair.best_s, time_s);
  pair.worst_s = std::max(pair.worst_s, time_s);
}

/// Makes one measurement of all pairs; `own` has those whose client is this process, in their order.
void measure(const mpi::Communicator& comm, const Pairs& pairs, Player& player, std::vector<PairTime>& own) {
  const Token token(comm, pairs);
  std::size_t pair = 0;
  auto mine = own.begin();
  for (const int client : token.clients()) {
    token.take(client);
    for (; pair < pairs.size() && pairs[pair].first == client; ++pair) {
      const int server = pairs[pair].second;
      if (comm.rank() == client) note(*mine++, player.client(server));
      if (comm.rank() == server) player.server(client);
    }
    token.pass(client);
  }
  static_cast<void>(comm.broadcast(char{1}, token.last()));
}

/// One-way time between the first and the last process, on all ranks.
double calibrate(const mpi::Communicator& comm, const RingRule& rule, Player& player) {
  const int last = comm.size() - 1;
  double best = std::numeric_limits<double>::max();
  for (int m = 0; m < rule.measurements; ++m) {
    if (comm.rank() == 0) best = std::min(best, player.client(last));
    if (comm.rank() == last) player.server(0);
  }
  return comm.broadcast(best, 0);
}

}  // namespace

std::vector<int> places_of_ranks(const mpi::Communicator& world) {
  const auto host = world.split_shared();
  const int first = host.broadcast(world.rank());
  std::vector<int> firsts(at(world.size()));
  mpi::check(MPI_Allgather(&first, 1, MPI_INT, firsts.data(), 1, MPI_INT, world.get()), "MPI_Allgather");
  std::vector<int> hosts = firsts;
  std::ranges::sort(hosts);
  hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
  if (hosts.size() == 1)
    std::iota(firsts.begin(), firsts.end(), 0);
  else
    for (int& one : firsts) one = static_cast<int>(std::ranges::lower_bound(hosts, one) - hosts.begin());
  return firsts;
}

PairSpread spread_over_places(const mpi::Communicator& world, std::span<const PairTime> own,
                              const std::vector<int>& place_of) {
  return Spread(world, own, place_of).find();
}

RingTimes ring_times(const mpi::Communicator& comm, const RingRule& rule, std::uint64_t seed) {
  const auto rings = ring_patterns(comm.size(), rule.random_rings, seed);
  Place place(comm, rule, shortest_loop_s(comm));
  std::vector<double> best(rings.size(), std::numeric_limits<double>::max());
  for (int m = 0; m < rule.measurements; ++m)
    for (std::size_t q = 0; q < rings.size(); ++q)
      best[q] = std::min(best[q], comm.max(place.fastest(neighbours(rings[q], comm.rank()))));
  double logarithms = 0;
  for (std::size_t q = 1; q < rings.size(); ++q) logarithms += std::log(best[q]);
  const auto random = static_cast<double>(rings.size() - 1);
  return {best.front(), random > 0 ? std::exp(logarithms / random) : best.front(), comm.sum(place.wrong())};
}

double shortest_loop_s(const mpi::Communicator& comm) {
  return shortest_loop_s(comm.max(std::abs(MPI_Wtick())));
}

PingPongTimes over_pairs(const mpi::Communicator& comm, std::span<const PairTime> own,
                         std::int64_t message_byte) {
  double seconds = 0, byte_s = 0, least = std::numeric_limits<double>::max(), most = 0;
  for (const PairTime& pair : own) {
    seconds += pair.best_s;
    byte_s += static_cast<double>(message_byte) / pair.best_s;
    least = std::min(least, pair.best_s);
    most = std::max(most, pair.best_s);
  }
  PingPongTimes found;
  found.pairs = comm.sum(static_cast<std::int64_t>(own.size()));
  const auto count = static_cast<double>(found.pairs);
  found.min_s = comm.min(least);
  found.mean_s = comm.sum(seconds) / count;
  found.mean_byte_s = comm.sum(byte_s) / count;
  found.max_s = comm.max(most);
  return found;
}

PingPongTimes ping_pong(const mpi::Communicator& comm, const RingRule& rule) {
  const double enough_s = shortest_loop_s(comm);
  Player player(comm, rule, enough_s);
  const double first_to_last_s = calibrate(comm, rule, player);
  const auto affordable = affordable_pairs(rule, first_to_last_s, enough_s);
  const int stride = client_stride(comm.size(), affordable);
  const auto pairs = ping_pong_pairs(comm.size(), stride);
  std::vector<PairTime> own;
  for (const auto& [client, server] : pairs)
    if (client == comm.rank()) own.push_back({client, server, std::numeric_limits<double>::max(), 0});
  for (int m = 0; m < rule.measurements; ++m) measure(comm, pairs, player, own);
  PingPongTimes found = over_pairs(comm, own, rule.message_byte);
  found.possible = std::int64_t{comm.size()} * (comm.size() - 1);
  found.wrong = comm.sum(player.wrong());
  found.spread = spread_over_places(comm, own, places_of_ranks(comm));
  found.first_to_last_s = first_to_last_s;
  found.pair_s = pair_s(rule, first_to_last_s);
  found.clock_is_fine = found.pair_s >= enough_s * rule.measurements;
  found.affordable_pairs = affordable;
  found.most_pings = most_pings(affordable);
  found.stride = stride;
  return found;
}

namespace {

/// The numbers 1, 2, 4, ... and `most`.
std::vector<int> numbers_to(int most) {
  std::vector<int> numbers;
  for (int n = 1; n < most; n *= 2) numbers.push_back(n);
  numbers.push_back(most);
  return numbers;
}

}  // namespace

PlaceOnNode place_on_node(const mpi::Communicator& world) {
  const auto node = world.split_shared();
  const std::int64_t leads = node.rank() == 0 ? 1 : 0;
  return {node.rank(), static_cast<int>(world.sum(leads)),
          static_cast<int>(world.max(std::int64_t{node.size()}))};
}

Saturation saturation(const mpi::Communicator& world, const PlaceOnNode& place, const RingRule& rule,
                      std::uint64_t seed) {
  Saturation found;
  for (const int each : numbers_to(place.most_on_node)) {
    const auto some = world.split(place.before < each ? 0 : -1, world.rank());
    if (!some.valid()) continue;
    const auto times = ring_times(some, rule, seed);
    if (!world.is_root()) continue;
    found.processes.push_back(each);
    found.node_byte_s.push_back(static_cast<double>(rule.message_byte) * some.size() / place.nodes /
                                times.random_s);
  }
  return found;
}

}  // namespace steelyard::hpcc
