# The commands that people and checks rely on; each works from a fresh clone.
NODE := scripts/node
ARGS ?=
THREAD_SUITES := test/api test/admission test/client test/custom-resources test/replicas test/conformance

.PHONY: deps run demo image orchctl test test-executable test-threads soak soak-rolling soak-threads soak-upgrade fuzz build verify fix bench scale compare packages pictures clean

# Not `npm ci`: it refuses a lock file without the optional packages of other platforms, which not every registry has.
# `--no-save` installs what the lock file pins and leaves it as it is.
node_modules/.package-lock.json: package.json package-lock.json $(wildcard packages/*/package.json)
	npm install --no-save --no-audit --no-fund --loglevel=error
	@touch $@

deps: node_modules/.package-lock.json

build: deps
	$(NODE) scripts/build.ts

run: build
	bin/orch up $(ARGS)

# A cluster of several processes, and a fault; ARGS=--once stops it after the fault.
demo: build
	sh scripts/install-test-tools.sh
	$(NODE) --disable-warning=ExperimentalWarning scripts/demo/demo.ts $(ARGS)

# With docker, podman or buildah.
image:
	$(NODE) scripts/image.ts

# The command-line client as an executable that needs no Node, for this machine or ARGS=--platform=NAME (or all).
orchctl: deps
	$(NODE) scripts/standalone.ts $(ARGS)

# The executable of orchctl is built beside the first tests if its runtime can be had; its tests are skipped without it.
test: build
	sh scripts/install-test-tools.sh
	$(NODE) scripts/test.ts $(ARGS)

# The suites of the API over servers with several threads: THREADS=4, ARGS=test/api.
test-threads: build
	sh scripts/install-test-tools.sh
	ORCH_TEST_THREADS=$(or $(THREADS),2) $(NODE) scripts/test.ts $(or $(ARGS),$(THREAD_SUITES))

# The tests of orchctl once more, with the executable in place of its modules.
test-executable: build
	ORCHCTL_UNDER_TEST="$(CURDIR)/$$($(NODE) scripts/standalone.ts)" $(NODE) scripts/test.ts $(or $(ARGS),test/orchctl)

# HOURS=24: a control plane under faults and the simulations of ever further seeds, for so long, with a report in .soak/; the same
# command continues a run that was interrupted. Without HOURS: ten minutes each of killed processes, cut connections and partitions
# (RELIABILITY_SECONDS), and of simulations (SEEDS), then random histories of the stores (STORE_SEEDS) and random values for properties
# (PROPERTY_RUNS).
soak: build
	sh scripts/install-test-tools.sh
ifdef HOURS
	$(NODE) --disable-warning=ExperimentalWarning test/reliability/soak/main.ts --hours=$(HOURS) $(ARGS)
else
	RELIABILITY_SECONDS=$${RELIABILITY_SECONDS:-600} $(NODE) --disable-warning=ExperimentalWarning test/reliability/cluster.test.ts
	RELIABILITY_SECONDS=$${RELIABILITY_SECONDS:-600} $(NODE) --disable-warning=ExperimentalWarning test/reliability/partitions.test.ts
	SEEDS=$${SEEDS:-10000} $(NODE) --disable-warning=ExperimentalWarning test/reliability/simulation.test.ts
	STORE_SEEDS=$${STORE_SEEDS:-100} TIMES=$${TIMES:-20} $(NODE) scripts/test.ts --timeout 1200000 packages/storage/src/embedded packages/storage/src/etcd
	TEST_SEED=random PROPERTY_RUNS=$${PROPERTY_RUNS:-1000} $(NODE) scripts/test.ts --timeout 1200000 'packages/*/src/**/*.test.ts'
endif

# Rolling restarts under load: 5,000 watches and 500 writes a second, behind each balancer with each version of HTTP.
soak-rolling: build
	sh scripts/install-test-tools.sh
	ROLLING_WATCHES=$${ROLLING_WATCHES:-5000} ROLLING_WRITES_PER_SECOND=$${ROLLING_WRITES_PER_SECOND:-500} \
	  $(NODE) --disable-warning=ExperimentalWarning test/reliability/rolling-restart.test.ts

# One server with THREADS=4 threads under faults for MINUTES=20.
soak-threads: build
	sh scripts/install-test-tools.sh
	THREAD_SOAK_MINUTES=$(or $(MINUTES),20) THREAD_SOAK_THREADS=$(or $(THREADS),4) \
	  $(NODE) --disable-warning=ExperimentalWarning test/reliability/threads.test.ts

# Rolling upgrades under load from an earlier commit, the last tag by default, and back.
soak-upgrade: build
	sh scripts/install-test-tools.sh
	UPGRADE_FROM=$${UPGRADE_FROM:-$$(git describe --tags --abbrev=0 2>/dev/null || git rev-parse HEAD^)} \
	  $(NODE) --disable-warning=ExperimentalWarning test/reliability/rolling-upgrade.test.ts

# Fuzzes the parsers of input from outside for a minute each: ARGS='--seconds=600 json yaml'. The fuzzer is installed only here.
fuzz: deps
	sh scripts/install-fuzzer.sh
	$(NODE) --disable-warning=ExperimentalWarning test/fuzz/run.ts $(ARGS)

verify: deps
	$(NODE) scripts/verify.ts

fix: deps
	$(NODE) scripts/verify.ts --fix

# The load of a cluster: ARGS="--nodes=500,1000 --replicas=2 --update".
scale: build
	$(NODE) bench/scale/run.ts $(ARGS)

bench: build
	-$(NODE) scripts/standalone.ts
	sh scripts/install-test-tools.sh
	$(NODE) bench/run.ts $(ARGS)

# What differs from the reference server of a release: ARGS=--release=1.24. Go builds that server once.
compare: build
	$(NODE) --disable-warning=ExperimentalWarning scripts/compare.ts $(ARGS)

# The pictures of docs/console, with the Chromium of this machine.
pictures: build
	$(NODE) --disable-warning=ExperimentalWarning test/console/pictures.ts

# The packages of the client library for npm, as archives below dist/packages/.
packages: deps
	$(NODE) scripts/packages.ts $(ARGS)

clean:
	rm -rf dist standalone packages/*/dist test/dist examples/dist packages/*/*.tsbuildinfo
