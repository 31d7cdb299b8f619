# The short way to everything; CMake does the work. `make help` lists the targets.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 300
cmake_build = cmake --build $(1) --parallel $(JOBS)

.PHONY: gallery help setup demo test test-build test-cross build install package bench growth validation fuzz sanitize sanitize-all tsan format clean
.DEFAULT_GOAL := help

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1	/p' Makefile | expand -t 20

setup:  ## install the Debian packages that are missing (as root, or with sudo)
	@scripts/setup.sh

build/build.ninja: | setup
	cmake --preset release

build: setup build/build.ninja  ## leave the command at build/lockstep
	$(call cmake_build,build) --target product

demo: build  ## build, and show the reduction ladder on a simulated H200, beside a real one
	@scripts/demo.sh build/lockstep

test-build: setup build/build.ninja
	@scripts/setup-page-tests.sh
	$(call cmake_build,build)

test: test-build  ## build everything and run all tests
	ctest --test-dir build --output-on-failure --parallel $(JOBS)

gallery: build  ## make the pictures of docs/gallery.md anew
	@scripts/setup-page-tests.sh
	LOCKSTEP=$(CURDIR)/build/lockstep node tests/page/gallery.mjs

test-cross:  ## build for the other CPU family (x86-64 or arm64), and run a part of the tests in an emulator
	JOBS=$(JOBS) scripts/test-cross.sh build-cross

install: build  ## install below PREFIX (default /usr/local; DESTDIR is honoured)
	cmake --install build --prefix $(PREFIX)

package: build  ## make a .deb and a tarball that runs from any folder, in build/packages
	@scripts/setup.sh patchelf dpkg-dev
	scripts/package.sh build

bench: build  ## measure speed, beside Oclgrind and PoCL where they are installed
	$(call cmake_build,build) --target bench

growth: build  ## write docs/growth.md: time and memory against grid, block, launches and kernel, with plots
	python3 bench/growth.py --lockstep $(CURDIR)/build/lockstep

validation: build  ## write docs/validation.md: our counts and times beside a GPU's
	$(call cmake_build,build) --target validation_report

fuzz: setup  ## fuzz the PTX parser and the whole way of a kernel, for FUZZ_SECONDS each (default 300)
	@scripts/setup.sh libclang-rt-19-dev
	scripts/fuzz.sh parse $(FUZZ_SECONDS)
	scripts/fuzz.sh assembly $(FUZZ_SECONDS)
	scripts/fuzz.sh watch $(FUZZ_SECONDS)

sanitize: setup  ## tests of what runs kernels, under AddressSanitizer and UndefinedBehaviorSanitizer
	@scripts/setup.sh libclang-rt-19-dev
	cmake --preset asan
	$(call cmake_build,build-asan) --target sanitized

sanitize-all: setup  ## those of all libraries
	@scripts/setup.sh libclang-rt-19-dev
	cmake --preset asan
	$(call cmake_build,build-asan) --target sanitized_all

tsan: setup  ## those of what runs on several threads, under ThreadSanitizer
	@scripts/setup.sh libclang-rt-19-dev
	cmake --preset tsan
	$(call cmake_build,build-tsan) --target sanitized

format:  ## lay out all C++ with clang-format
	@scripts/setup.sh clang-format-19
	git ls-files -co --exclude-standard '*.cc' '*.h' '*.cu' '*.cl' | xargs clang-format-19 -i

clean:  ## remove every build directory
	rm -rf build build-*
