find_package(nlohmann_json REQUIRED)
    target_link_libraries(lockstep_check PRIVATE nlohmann_json::nlohmann_json)
