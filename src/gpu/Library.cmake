# toml++ appears only in gpu; TOML_EXCEPTIONS=0 makes its parser report errors as values.
target_compile_definitions(lockstep_gpu PRIVATE TOML_EXCEPTIONS=0 TOML_HEADER_ONLY=1)
