#include "sim/world/class_arrivals.hpp"

#include <algorithm>

#include <specroute/vocab/check.hpp>

#include "models/random/distributions.hpp"
#include "sim/scenario/tenants.hpp"

namespace specroute::sim {
namespace {

std::vector<std::uint32_t> tenant_numbers(const RequestClass& c,
                                          const std::vector<std::string>& names) {
  std::vector<std::uint32_t> numbers;
  for (const std::string& name : tenants_of(c))
    numbers.push_back(static_cast<std::uint32_t>(std::ranges::find(names, name) - names.begin()));
  return numbers;
}

/// A trace with tenants names each row's: nothing is left to draw.
std::vector<double> cumulated_weights(const RequestClass& c) {
  std::vector<double> weights;
  if (c.arrivals.trace && !c.arrivals.trace->rows->tenants.empty()) return weights;
  double sum = 0.0;
  for (const Tenant& tenant : c.tenants) weights.push_back(sum += tenant.weight);
  return weights;
}

}  // namespace

std::vector<PreparedTraffic> prepare_traffic(const Scenario& scenario,
                                             models::PrefixTable& prefixes) {
  const std::vector<std::string> names = tenant_names(scenario);
  std::vector<PreparedTraffic> prepared;
  for (std::size_t c = 0; c < scenario.classes.size(); ++c) {
    const RequestClass& request_class = scenario.classes[c];
    const auto& trace = request_class.arrivals.trace;
    check(!trace || trace->rows != nullptr, "a trace was read with its scenario");
    PreparedTraffic traffic{.prompt = models::LengthDistribution(request_class.prompt),
                            .output = models::LengthDistribution(request_class.output),
                            .tenants = tenant_numbers(request_class, names),
                            .tenant_weights = cumulated_weights(request_class),
                            .prefixes = {}};
    for (std::size_t other = 0; trace && other < c && traffic.prefixes.empty(); ++other)
      if (const auto& same = scenario.classes[other].arrivals.trace;
          same && same->rows == trace->rows)
        traffic.prefixes = prepared[other].prefixes;
    if (trace && !trace->rows->first_hash.empty() && traffic.prefixes.empty())
      for (std::size_t row = 0; row < trace->rows->size(); ++row)
        traffic.prefixes.push_back(prefixes.add(trace->rows->prefix(row)));
    prepared.push_back(std::move(traffic));
  }
  return prepared;
}

ClassArrivals::ClassArrivals(const Scenario& scenario, ClassId id, const PreparedTraffic& traffic,
                             const models::Seed& seed)
    : class_(scenario.classes[id.index()]),
      traffic_(traffic),
      id_(id),
      horizon_(scenario.horizon),
      open_(class_.arrivals.open, scenario.horizon, seed, id.value),
      lengths_(seed.stream("lengths", id.value)),
      tenants_(seed.stream("tenants", id.value)) {
  if (!class_.arrivals.closed_loop) return;
  for (std::uint64_t user = 0; user < class_.arrivals.closed_loop->users; ++user) {
    models::Stream stream = seed.stream("users", std::uint64_t{id.value} << 32U | user);
    const std::uint32_t tenant = draw_tenant(stream);
    users_.push_back({stream, tenant});
  }
}

std::optional<Seconds> ClassArrivals::next() {
  if (class_.arrivals.closed_loop) return std::nullopt;
  return class_.arrivals.trace ? next_row() : open_.next();
}

std::optional<Seconds> ClassArrivals::next_row() {
  const TraceArrivals& trace = *class_.arrivals.trace;
  if (next_row_ == trace.rows->size()) {
    if (!trace.loop) return std::nullopt;
    next_row_ = 0;
    ++pass_;
  }
  const double passed = static_cast<double>(pass_);
  const Seconds place = Seconds{trace.rows->arrival_s[next_row_]} - trace.slice.from +
                        (pass_ == 0 ? Seconds{0.0} : passed * (trace.slice.to - trace.slice.from));
  const Seconds date = trace.start + place * trace.time_scale;
  if (!(date < horizon_)) return std::nullopt;
  row_ = next_row_++;
  ++played_;
  return date;
}

Asked ClassArrivals::take() {
  if (class_.arrivals.trace) {
    Asked asked = row();
    if (!traffic_.tenant_weights.empty()) asked.tenant = draw_tenant(tenants_);
    return asked;
  }
  Asked asked = drawn(lengths_);
  asked.tenant = draw_tenant(tenants_);
  return asked;
}

Asked ClassArrivals::row() const {
  const TraceArrivals& trace = *class_.arrivals.trace;
  const Trace& rows = *trace.rows;
  Asked asked;
  asked.prompt_tokens = rows.prompt_tokens[row_];
  asked.limit_tokens = trace.output_limit.value_or(rows.output_tokens[row_]);
  asked.output_tokens = std::min(rows.output_tokens[row_], asked.limit_tokens);
  if (!traffic_.prefixes.empty()) asked.prefix = traffic_.prefixes[row_];
  if (!rows.session.empty()) asked.session = session(rows.session[row_]);
  if (!rows.tenant.empty() && rows.tenant[row_] != Trace::kNobody)
    asked.tenant = traffic_.tenants[rows.tenant[row_]];
  return asked;
}

Asked ClassArrivals::drawn(models::Stream& lengths) const {
  Asked asked;
  asked.prompt_tokens = traffic_.prompt.sample(lengths());
  asked.output_tokens = traffic_.output.sample(lengths());
  asked.limit_tokens = class_.output.limit;
  return asked;
}

std::uint32_t ClassArrivals::draw_tenant(models::Stream& stream) const {
  const std::vector<double>& weights = traffic_.tenant_weights;
  if (weights.empty()) return kNoTenant;
  const auto above = std::ranges::upper_bound(weights, stream.uniform() * weights.back());
  const auto index = static_cast<std::size_t>(above - weights.begin());
  return traffic_.tenants[std::min(index, weights.size() - 1)];
}

Seconds ClassArrivals::first_asks(std::uint32_t user) {
  const ClosedLoop& loop = *class_.arrivals.closed_loop;
  if (loop.think != ClosedLoop::Think::fixed) return thinks(user);
  return loop.mean_think * ((user + 0.5) / loop.users);
}

Seconds ClassArrivals::thinks(std::uint32_t user) {
  const ClosedLoop& loop = *class_.arrivals.closed_loop;
  models::Stream& stream = users_[user].stream;
  switch (loop.think) {
    case ClosedLoop::Think::fixed:
      return loop.mean_think;
    case ClosedLoop::Think::exponential:
      return models::exponential(loop.mean_think, stream.uniform());
    case ClosedLoop::Think::lognormal: {
      const auto shape = models::Lognormal::from_mean_and_cv(loop.mean_think.count(), loop.cv);
      return Seconds{shape.sample(stream.uniform_open())};
    }
  }
  return loop.mean_think;
}

Asked ClassArrivals::asks(std::uint32_t user) {
  Asked asked = drawn(users_[user].stream);
  asked.session = session(std::uint64_t{user} + 1);
  asked.tenant = users_[user].tenant;
  return asked;
}

}  // namespace specroute::sim
