# SPDX-License-Identifier: Apache-2.0
# A front for CMake's presets: every target installs what it lacks and builds below build/.

BUILD ?= build
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
# Of each reader of recordings, whose files come from elsewhere.
BAG_SECONDS ?= $(FUZZ_SECONDS)
# On the clock, for one input of theirs; for a record, which is run through scenes, twenty times that.
FUZZ_TIMEOUT ?= 10
FUZZ_SEED ?= $(shell date +%s)
SOAK_SECONDS ?= 600
PEERS_POSES ?= 1000000
JOBS ?= $(shell nproc)
# Two of the tests at a time wait for processes and clocks.
TEST_JOBS ?= $(shell expr $(JOBS) + 2)
DEMO_PRESET ?= release

# Should something ask for Python (ROS does, this project does not), the system's it is.
export PYENV_VERSION := system
# It does not ask two hundred programs one by one whether there is anything to do, as make does.
ifneq ($(shell command -v ninja),)
  export CMAKE_GENERATOR ?= Ninja
endif
MAKEFLAGS += --no-print-directory

.PHONY: help demo check check-gcc check-clang build-gcc build-clang build-sanitize build-tsan check-recordings sanitize tsan soak lint fuzz fuzz-model fuzz-mesh fuzz-record fuzz-mcap fuzz-db3 fuzz-cdr fuzz-request fuzz-pair bench \
  bench-data gate peers tables figures experiments install clean

help:
	@echo 'make demo      build, then an arm, a person and the monitor, live on the terminal'
	@echo 'make check     build with gcc and with clang, warnings as errors, and run the tests'
	@echo 'make sanitize  the tests with the address and undefined behavior sanitizers'
	@echo 'make tsan      the tests that run on several threads with the thread sanitizer'
	@echo 'make soak      let the monitor run for SOAK_SECONDS ($(SOAK_SECONDS)): memory flat, no answer missing'
	@echo 'make check-recordings  the same of recordings, read by their viewers'"'"' own libraries (npm)'
	@echo 'make lint      format, clang-tidy, cppcheck, layering, manual page'
	@echo 'make fuzz      fuzz the readers of models, meshes, records, recordings and requests, FUZZ_SECONDS ($(FUZZ_SECONDS)) each'
	@echo 'make fuzz-pair judge answers of random pairs for FUZZ_SECONDS ($(FUZZ_SECONDS)), from FUZZ_SEED on'
	@echo 'make bench     build and run the benchmarks, also of other libraries (bench/README.md)'
	@echo 'make gate      count instructions of steps and cycles and compare with bench/gate.txt'
	@echo 'make bench-data measure again what docs/performance.md plots (docs/data)'
	@echo 'make peers     measure every pair of shapes beside other libraries again (docs/peers.md), for hours'
	@echo 'make tables    measure again what docs/derivatives.md and docs/certify.md have of other libraries'
	@echo 'make figures   draw the pictures of the documentation'
	@echo 'make experiments  rerun the simulations of the papers into docs/'
	@echo 'make install   build and install below PREFIX ($(PREFIX))'
	@echo 'make clean     remove $(BUILD)/'

# $(call build,PRESET,TARGETS); one at a time, for .ci/run has several targets under way.
define build
@mkdir -p $(BUILD)
flock $(BUILD)/$(1).lock cmake --preset $(1) -B $(BUILD)/$(1)
flock $(BUILD)/$(1).lock cmake --build $(BUILD)/$(1) -j $(JOBS) --target $(2)
endef

define test
.ci/test $(BUILD)/$(1) -j $(TEST_JOBS)
endef

demo:
	@.ci/install-deps build
	$(call build,$(DEMO_PRESET),closest_point_tool)
	@demo='$(BUILD)/$(DEMO_PRESET)/rclc_closest_point/closest_point demo'; \
	if [ -t 1 ]; then $$demo; else $$demo --once && echo && $$demo --seconds 9; fi

check:
	$(MAKE) check-gcc
	$(MAKE) check-clang

check-gcc: build-gcc
	@.ci/install-deps check
	$(call test,gcc)

# What is tested in each build: .ci/run has it built while other tests wait for their clocks.
build-gcc build-clang: targets := bench draw_figures
build-gcc: targets += all
build-clang: targets += retested
build-sanitize: targets := all
build-tsan: targets = $(tsan_tests)
build-gcc build-clang build-sanitize build-tsan: build-%:
	@.ci/install-deps build $(if $(filter gcc,$*),first,check) $(if $(filter sanitize tsan,$*),fuzz)
	$(call build,$*,$(targets))

# What runs a second time here is what clang's optimizer could change, and what is built (the labels are
# explained in test/CMakeLists.txt); the rest does under the sanitizers, which are clang's as well.
check-clang: build-clang
	$(call test,clang) -L '^(numbers|product)$$'

sanitize: build-sanitize
	$(call test,sanitize) -LE '^text$$'

# Whatever runs on several threads, or speaks to what does.
tsan_tests := test_node_dds test_node_faults test_node_late test_scene_workers e2e

tsan: build-tsan
	$(call test,tsan) -R '^(test_node_(dds|faults|late)|test_scene_workers|e2e_)'

soak:
	@.ci/install-deps build check
	$(call build,gcc,soak_monitor closest_point_tool tf_publisher)
	SOAK_SECONDS=$(SOAK_SECONDS) cmake --build $(BUILD)/gcc -j $(JOBS) --target soak_dds

# Recordings read by the libraries of their viewers, which are written in JavaScript and come from npm.
VIEWERS := @mcap/core@2.2.2 @foxglove/rosmsg@5.0.5 @foxglove/rosmsg2-serialization@3.1.0 fzstd@0.1.1

check-recordings:
	@.ci/install-deps build check view
	mkdir -p build/viewers
	npm install --prefix build/viewers --ignore-scripts --no-audit --no-fund $(VIEWERS)
	$(call build,gcc,test_record closest_point_tool)
	$(call test,gcc) -R '^test_record$$'

lint:
	@.ci/install-deps build check lint
	$(call build,clang,generated_messages)
	.ci/lint $(BUILD)/clang

fuzz:
	@.ci/install-deps build fuzz
	$(call build,sanitize,fuzz_model fuzz_mesh fuzz_record fuzz_mcap fuzz_db3 fuzz_cdr fuzz_request)
	@$(MAKE) -j2 -Otarget fuzz-mcap fuzz-db3 fuzz-cdr fuzz-request fuzz-model fuzz-mesh fuzz-record

# Beside each other: each takes one processor.
fuzz-model:
	mkdir -p $(BUILD)/sanitize/corpus_model
	$(BUILD)/sanitize/test/fuzz_model -max_total_time=$(FUZZ_SECONDS) -timeout=$(FUZZ_TIMEOUT) -rss_limit_mb=2048 \
	  -print_final_stats=1 -artifact_prefix=$(BUILD)/sanitize/ $(BUILD)/sanitize/corpus_model test/fuzz/corpus_model

fuzz-mesh:
	mkdir -p $(BUILD)/sanitize/corpus_mesh
	$(BUILD)/sanitize/test/fuzz_mesh -max_total_time=$(FUZZ_SECONDS) -timeout=$(FUZZ_TIMEOUT) -rss_limit_mb=2048 \
	  -print_final_stats=1 -artifact_prefix=$(BUILD)/sanitize/ $(BUILD)/sanitize/corpus_mesh test/fuzz/corpus_mesh

# The readers of recordings: MCAP files, databases, and the messages in them; and of what clients of the
# view say.
fuzz-mcap fuzz-db3 fuzz-cdr fuzz-request: fuzz-%:
	mkdir -p $(BUILD)/sanitize/corpus_$*
	$(BUILD)/sanitize/test/fuzz_$* -max_total_time=$(BAG_SECONDS) -timeout=$(FUZZ_TIMEOUT) -rss_limit_mb=2048 \
	  -max_len=16384 -print_final_stats=1 -artifact_prefix=$(BUILD)/sanitize/ $(BUILD)/sanitize/corpus_$* test/fuzz/corpus_$*

fuzz-record:
	mkdir -p $(BUILD)/sanitize/corpus_record
	$(BUILD)/sanitize/test/fuzz_record -max_total_time=$(FUZZ_SECONDS) -timeout=$$((20 * $(FUZZ_TIMEOUT))) -rss_limit_mb=2048 \
	  -max_len=8192 -use_value_profile=1 -print_final_stats=1 -artifact_prefix=$(BUILD)/sanitize/ \
	  $(BUILD)/sanitize/corpus_record test/fuzz/corpus_record

fuzz-pair:
	@.ci/install-deps build
	$(call build,gcc,fuzz_pair)
	$(BUILD)/gcc/test/fuzz_pair --seconds $(FUZZ_SECONDS) --seed $(FUZZ_SEED)

bench:
	@.ci/install-deps build
	@.ci/install-deps peers || echo 'Going without the libraries that cannot be installed.'
	$(call build,release,bench)
	@for program in $(BUILD)/release/bench/bench_*; do \
	  test -f "$$program" -a -x "$$program" || continue; \
	  echo; echo "$$(basename $$program)"; "$$program" || exit 1; \
	done
	@echo; echo 'bench_step, instructions'; bench/count.sh $(BUILD)/release/bench/bench_step

gate:
	@.ci/install-deps build gate
	$(call build,gcc,bench_step bench_pairs bench_cell bench_build)
	bench/gate.sh $(BUILD)/gcc/bench

# First into a file beside it, so that a run that is broken off leaves the old figures.
bench-data:
	@.ci/install-deps build
	$(call build,release,bench_cell bench_patches)
	@for what in cell patches; do \
	  $(BUILD)/release/bench/bench_$$what --csv > docs/data/$$what.new && \
	  mv docs/data/$$what.new docs/data/$$what.csv || exit 1; \
	done

# Of 45 pairs times, instructions, and PEERS_POSES poses each.
peers:
	@.ci/install-deps build
	@.ci/install-deps peers || echo 'Going without the libraries that cannot be installed.'
	$(call build,release,bench_pairs)
	@pairs=$(BUILD)/release/bench/bench_pairs; \
	$$pairs times > docs/data/pairs_times.new && \
	bench/pairs.sh count $$pairs 2000 > docs/data/pairs_counts.new && \
	bench/pairs.sh groups $$pairs 100 >> docs/data/pairs_counts.new && \
	$$pairs verdicts $(PEERS_POSES) > docs/data/pairs_verdicts.new || exit 1; \
	for what in times counts verdicts; do \
	  mv docs/data/pairs_$$what.new docs/data/pairs_$$what.csv; \
	done
	bench/pairs.sh table docs/data

tables:
	@.ci/install-deps build
	@.ci/install-deps peers || echo 'Going without the libraries that cannot be installed.'
	$(call build,release,bench_gradients bench_sweeps)
	$(BUILD)/release/bench/bench_gradients | bench/into_page.sh docs/derivatives.md bench_gradients
	$(BUILD)/release/bench/bench_sweeps | bench/into_page.sh docs/certify.md bench_sweeps

figures:
	@.ci/install-deps build figures
	$(call build,release,figures)

experiments:
	@.ci/install-deps build experiments
	$(call build,release,closest_point_tool)
	$(BUILD)/release/rclc_closest_point/closest_point reproduce --out docs \
	  --data $(BUILD)/experiments

install:
	@.ci/install-deps build
	$(call build,release,all)
	cmake --install $(BUILD)/release --prefix "$(PREFIX)"

clean:
	rm -rf $(BUILD)
