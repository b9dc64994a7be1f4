#include "sim/traces/line_source.hpp"

namespace specroute::sim {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 16U;

}  // namespace

/// Reads one chunk more. False at the end of the stream.
bool LineSource::fill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t held = buffer_.size();
  buffer_.resize(held + kChunk);
  stream_.read(buffer_.data() + held, static_cast<std::streamsize>(kChunk));
  const auto read = static_cast<std::size_t>(stream_.gcount());
  buffer_.resize(held + read);
  digest_.update(std::string_view(buffer_).substr(held));
  return read > 0;
}

bool LineSource::next(std::string_view& line) {
  std::size_t searched = begin_;
  std::size_t end = buffer_.find('\n', searched);
  while (end == std::string::npos) {
    searched = buffer_.size() - begin_;
    if (searched > kLongestLine) {
      too_long_ = true;
      return false;
    }
    if (!fill()) {
      if (buffer_.empty()) return false;
      end = buffer_.size();
      break;
    }
    end = buffer_.find('\n', searched);
  }
  line = std::string_view(buffer_).substr(begin_, end - begin_);
  if (line.ends_with('\r')) line.remove_suffix(1);
  begin_ = std::min(end + 1, buffer_.size());
  ++number_;
  return true;
}

}  // namespace specroute::sim
