# Fuzzers of `specroute replay`'s readers. Their seeds run in sim_replay_test, whatever the compiler.
function(specroute_telemetry_fuzzer name)
  add_executable(fuzz_${name} telemetry_target.cpp telemetry_entries.cpp)
  target_link_libraries(fuzz_${name} PRIVATE specroute_options specroute::sim_replay)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  target_compile_definitions(fuzz_${name} PRIVATE ${ARGN})
  add_dependencies(fuzzers fuzz_${name})
endfunction()

specroute_telemetry_fuzzer(replay_mapping)
foreach(format prometheus query_range vllm_log sglang_log llama_cpp_log)
  specroute_telemetry_fuzzer(telemetry_${format} SPECROUTE_FUZZ_TELEMETRY=${format})
endforeach()
