/// @file
/// Runs the built program: what it prints, leaves behind, and exits with.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace specroute::sim {

namespace fs = std::filesystem;

inline std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What the program said.
struct Outcome {
  int code;
  std::string out;
  std::string err;
};

class Cli : public testing::Test {
 protected:
  Cli() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::path(testing::TempDir()) /
            (std::string("specroute_cli_") + std::to_string(getpid()) + '_' +
             test->test_suite_name() + '_' + test->name());  // the same may run from another tree
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  ~Cli() override { fs::remove_all(root_); }

  /// Starts the program with its streams in files outside the directory under test.
  [[nodiscard]] pid_t start(const std::vector<std::string>& arguments) const {
    const pid_t pid = fork();
    if (pid != 0) return pid;
    std::vector<char*> words = {const_cast<char*>(SPECROUTE_BINARY)};
    for (const auto& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    dup2(open(stream("out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    dup2(open(stream("err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    execv(SPECROUTE_BINARY, words.data());
    _exit(127);
  }

  [[nodiscard]] Outcome run(const std::vector<std::string>& arguments) const {
    int status = 0;
    waitpid(start(arguments), &status, 0);
    Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(stream("out")),
                    text_of(stream("err"))};
    fs::remove(stream("out"));
    fs::remove(stream("err"));
    return outcome;
  }

  [[nodiscard]] std::string stream(const std::string& name) const {
    return root_.string() + '.' + name;
  }
  [[nodiscard]] std::string in(const std::string& name) const { return (root_ / name).string(); }

  fs::path root_;
};

}  // namespace specroute::sim
