#include "models/statistics/queueing.hpp"

#include <specroute/vocab/check.hpp>

namespace specroute::models {

double ServiceTime::squared_variation() const {
  check(mean > Seconds{0.0}, "a service takes time");
  const double square = mean.count() * mean.count();
  return (second_moment - square) / square;
}

double erlang_c(std::uint32_t servers, double offered) {
  check(servers >= 1, "a queue has a server");
  check(offered >= 0.0 && offered < servers,
        "a queue in the steady state has work for less than all");
  double blocked = 1.0;
  for (std::uint32_t k = 1; k <= servers; ++k)
    blocked = offered * blocked / (k + offered * blocked);
  return servers * blocked / (servers - offered * (1.0 - blocked));
}

Seconds mmc_wait(double rate_per_s, Seconds mean_service, std::uint32_t servers) {
  check(rate_per_s > 0.0 && mean_service > Seconds{0.0}, "requests come, and take time");
  const double offered = rate_per_s * mean_service.count();
  return mean_service * (erlang_c(servers, offered) / (servers - offered));
}

Seconds mg1_wait(double rate_per_s, const ServiceTime& service) {
  return mgc_wait(rate_per_s, service, 1);
}

Seconds md1_wait(double rate_per_s, Seconds service) {
  return mg1_wait(rate_per_s, {service, service.count() * service.count()});
}

Seconds mgc_wait(double rate_per_s, const ServiceTime& service, std::uint32_t servers) {
  return mmc_wait(rate_per_s, service.mean, servers) * ((1.0 + service.squared_variation()) / 2.0);
}

}  // namespace specroute::models
