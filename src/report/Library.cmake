find_package(SQLite3 REQUIRED)
find_package(nlohmann_json REQUIRED)
target_link_libraries(lockstep_report PUBLIC SQLite::SQLite3 PRIVATE nlohmann_json::nlohmann_json)
