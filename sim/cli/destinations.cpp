#include "sim/cli/destinations.hpp"

#include <utility>

namespace specroute::sim {
namespace {

Existing existing(const Destinations& where) {
  return where.force ? Existing::replace : Existing::refuse;
}

}  // namespace

Diagnostics check_destinations(const Destinations& where) {
  Diagnostics faults;
  if (!where.out.empty()) faults = check_destination(where.out, existing(where));
  if (!where.json.empty() && where.json != "-")
    for (Diagnostic& fault : check_file_destination(where.json)) faults.push_back(std::move(fault));
  return faults;
}

Diagnostics hand_out(const Destinations& where, const std::vector<ResultFile>& files,
                     const std::string& report, std::ostream& out) {
  if (!where.out.empty())
    if (auto faults = write_result(where.out, files, existing(where)); !faults.empty())
      return faults;
  if (where.json == "-")
    out << files.front().text;
  else if (!where.json.empty())
    if (auto faults = write_whole_file(where.json, files.front().text); !faults.empty())
      return faults;
  if (where.json != "-" && !where.quiet) {
    out << report;
    if (!where.out.empty()) out << "\nresults are in " << where.out << '\n';
  }
  out.flush();
  if (out) return {};
  return {{.file = "standard output",
           .place = {},
           .expected = "room for the results",
           .found = "an error",
           .nearest = {}}};
}

}  // namespace specroute::sim
