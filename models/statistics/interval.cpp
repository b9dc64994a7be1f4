#include "models/statistics/interval.hpp"

#include <array>
#include <cmath>

#include <specroute/vocab/check.hpp>

namespace specroute::models {
namespace {

/// 0.975 quantile of Student's t for 1, 2, ... 100 degrees of freedom.
constexpr std::array kCritical{
    12.7062047361747, 4.30265272974946, 3.18244630528371, 2.77644510519779, 2.57058183563632,
    2.44691185114497, 2.36462425159279, 2.30600413520417, 2.26215716279821, 2.22813885198627,
    2.20098516009164, 2.17881282966723, 2.16036865646279, 2.1447866879178,  2.13144954555978,
    2.11990529922125, 2.10981557783332, 2.10092204024104, 2.09302405440831, 2.08596344726586,
    2.07961384472768, 2.07387306790403, 2.06865761041905, 2.06389856162803, 2.0595385527533,
    2.05552943864287, 2.05183051648029, 2.04840714179524, 2.0452296421327,  2.04227245630124,
    2.03951344639641, 2.0369333434601,  2.03451529744934, 2.03224450931772, 2.03010792825034,
    2.02809400098045, 2.02619246302911, 2.02439416391197, 2.02269092003676, 2.02107539030627,
    2.01954097044138, 2.01808170281844, 2.01669219922782, 2.01536757444376, 2.01410338888085,
    2.01289559891943, 2.01174051372977, 2.01063475762423, 2.00957523712924, 2.00855911210076,
    2.00758377031584, 2.00664680506169, 2.00574599531787, 2.00487928818806, 2.00404478328915,
    2.00324071884787, 2.00246545929101, 2.00171748414524, 2.00099537808827, 2.00029782201426,
    1.99962358499494, 1.99897151703338, 1.99834054252074, 1.99772965431769, 1.997137908392,
    1.99656441895231, 1.9960083540253,  1.99546893142984, 1.99494541510724, 1.99443711177119,
    1.99394336784563, 1.99346356666187, 1.99299712588986, 1.99254349518093, 1.99210215400224,
    1.99167260964466, 1.99125439538839, 1.99084706881169, 1.99045021023013, 1.99006342125445,
    1.9896863234569,  1.98931855713657, 1.98895978017516, 1.98860966697571, 1.98826790747722,
    1.98793420623902, 1.98760828158907, 1.98728986483117, 1.98697869950628, 1.98667454070377,
    1.98637715441862, 1.98608631695113, 1.98580181434582, 1.9855234418666,  1.9852510035055,
    1.98498431152246, 1.98472318601398, 1.98446745450848, 1.98421695158642, 1.98397151852355,
};

/// 0.975 quantile of the standard normal distribution.
constexpr double kNormalCritical = 1.9599639845400543;

}  // namespace

double student_critical_value(std::size_t degrees) {
  check(degrees >= 1, "Student's t has a degree of freedom");
  if (degrees <= kCritical.size()) return kCritical[degrees - 1];
  constexpr double x = kNormalCritical;
  constexpr double x2 = x * x;
  constexpr double g1 = x * (x2 + 1.0) / 4.0;
  constexpr double g2 = x * ((5.0 * x2 + 16.0) * x2 + 3.0) / 96.0;
  constexpr double g3 = x * (((3.0 * x2 + 19.0) * x2 + 17.0) * x2 - 15.0) / 384.0;
  constexpr double g4 =
      x * ((((79.0 * x2 + 776.0) * x2 + 1482.0) * x2 - 1920.0) * x2 - 945.0) / 92160.0;
  const double inverse = 1.0 / static_cast<double>(degrees);
  return x + inverse * (g1 + inverse * (g2 + inverse * (g3 + inverse * g4)));
}

bool Interval::covers(double value) const {
  return mean && half_width && std::fabs(value - *mean) <= *half_width;
}

Interval student_interval(std::span<const double> values) {
  Interval result{.count = values.size(), .mean = {}, .deviation = {}, .half_width = {}};
  if (values.empty()) return result;
  const double count = static_cast<double>(values.size());
  double sum = 0.0;
  for (const double value : values) sum += value;
  const double mean = sum / count;
  result.mean = mean;
  if (values.size() < 2) return result;
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double deviation = std::sqrt(squares / (count - 1.0));
  result.deviation = deviation;
  result.half_width = student_critical_value(values.size() - 1) * deviation / std::sqrt(count);
  return result;
}

}  // namespace specroute::models
