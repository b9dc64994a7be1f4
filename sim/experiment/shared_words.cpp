#include "sim/experiment/shared_words.hpp"

#include <new>

#include <sys/mman.h>

namespace specroute::sim {

SharedWords::SharedWords(std::size_t count) : bytes_(count * sizeof(Word)) {
  void* page = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return;
  words_ = static_cast<Word*>(page);
  for (std::size_t i = 0; i < count; ++i) new (words_ + i) Word(0);
}

SharedWords::~SharedWords() {
  if (words_ != nullptr) munmap(words_, bytes_);
}

SharedWords::Word* SharedWords::at(std::size_t index) const {
  return words_ == nullptr ? nullptr : words_ + index;
}

}  // namespace specroute::sim
