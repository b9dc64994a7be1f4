#include "sim/world/fleet_meters.hpp"

#include <algorithm>

#include <specroute/vocab/check.hpp>

#include "models/devices/device.hpp"
#include "models/devices/model_shape.hpp"

namespace specroute::sim {
namespace {

double flops(const BackendMeter& meter) {
  const models::ModelShape* shape = models::find_model_shape(meter.backend->model);
  check(shape != nullptr, "the reader knows every model");
  return models::work_flops(*shape, meter.work).value();
}

/// FLOP/s of all devices of a backend, by their datasheet.
double peak(const Backend& backend) {
  const models::Device* device = models::find_device(backend.device);
  check(device != nullptr, "the reader knows every device");
  const bool in_fp8 = backend.precision == Precision::fp8 && device->has_fp8();
  return (in_fp8 ? device->fp8_dense : device->bf16_dense).value() * backend.engines *
         backend.tensor_parallel;
}

std::optional<double> ratio(double part, double whole) {
  return whole > 0.0 ? std::optional(part / whole) : std::nullopt;
}

}  // namespace

void report_backends(Metrics& metrics, const std::vector<BackendMeter>& meters, Seconds span) {
  for (const BackendMeter& meter : meters) {
    const Backend& backend = *meter.backend;
    const double rate = flops(meter) / span.count();
    check(meter.busy <= span * (backend.engines * (1.0 + 1e-9)),
          "an engine makes one pass at a time");
    metrics.emplace_back("utilisation." + backend.name, meter.busy / (span * backend.engines));
    if (backend.role == Role::target) {
      metrics.emplace_back("kv_peak." + backend.name, meter.kv_fullest);
      metrics.emplace_back("kv_mean." + backend.name,
                           meter.kv_block_seconds / (meter.kv_blocks * span.count()));
    }
    if (backend.repetition_detection)
      metrics.emplace_back("loops_ended." + backend.name, static_cast<double>(meter.loops_ended));
    metrics.emplace_back("tflop_per_s." + backend.name, rate / 1e12);
    metrics.emplace_back("flop_utilisation." + backend.name, rate / peak(backend));
  }
}

void report_fleet(Metrics& metrics, const std::vector<BackendMeter>& meters, Seconds span) {
  struct Sum {
    double busy = 0.0;
    double engines = 0.0;
  } targets, drafts;
  double blocks = 0.0;
  double block_seconds = 0.0;
  double fullest = 0.0;
  double arithmetic = 0.0;
  for (const BackendMeter& meter : meters) {
    Sum& sum = meter.backend->role == Role::target ? targets : drafts;
    sum.busy += meter.busy.count();
    sum.engines += meter.backend->engines;
    blocks += meter.kv_blocks;
    block_seconds += meter.kv_block_seconds;
    fullest = std::max(fullest, meter.kv_fullest);
    arithmetic += flops(meter);
  }
  metrics.emplace_back("utilisation_targets", ratio(targets.busy, targets.engines * span.count()));
  metrics.emplace_back("utilisation_drafts", ratio(drafts.busy, drafts.engines * span.count()));
  metrics.emplace_back("kv_occupancy_mean", ratio(block_seconds, blocks * span.count()));
  metrics.emplace_back("kv_occupancy_max", blocks > 0.0 ? std::optional(fullest) : std::nullopt);
  metrics.emplace_back("tflop_per_s", ratio(arithmetic / 1e12, span.count()));
}

}  // namespace specroute::sim
