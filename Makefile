# The commands that people and checks rely on; each works from a fresh clone.
NODE := scripts/node
ARGS ?=

.PHONY: deps run test build verify fix bench clean

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

test: build
	sh scripts/install-test-tools.sh
	$(NODE) scripts/test.ts $(ARGS)

verify: deps
	$(NODE) scripts/verify.ts

fix: deps
	$(NODE) scripts/verify.ts --fix

bench: build
	sh scripts/install-test-tools.sh
	$(NODE) bench/run.ts $(ARGS)

clean:
	rm -rf dist packages/*/dist test/dist packages/*/*.tsbuildinfo
