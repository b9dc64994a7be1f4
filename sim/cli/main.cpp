#include <iostream>
#include <string>
#include <vector>

#include "sim/cli/run_cli.hpp"

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  return specroute::sim::run_cli(words, std::cout, std::cerr);
}
