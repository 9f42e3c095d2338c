# Countersign on Debian. Each target installs the packages that it needs; `make help` lists them.

PREFIX ?= /usr/local
FUZZ_SECONDS ?= 600
# The folder of the page for browsers in demo-card; empty for none.
WEB ?=
# Additional options for building the tests.
BUILD_OPTIONS ?=
# Vectors that cannot be part of this repository. If they are missing, make test reports it.
EXTRA_VECTORS ?= ../shared/vectors
override export EXTRA_VECTORS := $(abspath $(EXTRA_VECTORS))
# The crash backtracer prints memory, and this memory holds secrets.
export SWIFT_BACKTRACE := enable=no

# Each program for card payments has a Debian package of its own.
programs := countersign countersignd countersign-3ds countersign-acs
dist := .build/dist
share := $(DESTDIR)$(PREFIX)/share
lib := $(DESTDIR)$(PREFIX)/lib

.DEFAULT_GOAL := help
# One target after the other, even with -j: apt-get cannot run twice at the same time.
.NOTPARALLEL:
.PHONY: help demo playground demo-postgres demo-web demo-card web test test-web prove lint prose prose-budget references format sanitize docs fuzz bench bench-large release install install-approval install-card-payments install-acs clean

help: ## List all targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-15s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## Build the programs and run the demonstration
	@Packaging/prepare build demo
	swift build --product countersign
	swift build --product countersignd
	swift build --product countersign-3ds
	.build/debug/countersign selftest
	@Packaging/demo $(CURDIR)/.build/debug

playground: ## Run a verifier with an account and a device, to try everything, until Ctrl-C
	@Packaging/prepare build demo
	swift build --product countersign
	swift build --product countersignd
	@Packaging/playground $(CURDIR)/.build/debug

demo-postgres: ## Run the demonstration with two nodes on a temporary PostgreSQL server
	@Packaging/prepare build demo postgres
	swift build --product countersign
	swift build --product countersignd
	swift build --product countersign-3ds
	@Packaging/demo $(CURDIR)/.build/debug --postgres

demo-web: ## Run a verifier whose device is a page in your browser, and request payments
	@Packaging/prepare build demo web
	@Packaging/web --check
	swift build --product countersignd
	@Packaging/demo-web $(CURDIR)/.build/debug $(CURDIR)/.build/web

# After `make web`, WEB=.build/web makes your browser a second device of the person.
demo-card: ## Demonstrate card payments with EMV 3-D Secure, and pay in your browser
	@Packaging/prepare build demo cards
	@Packaging/reference-checkers
	swift build --product countersign
	swift build --product countersignd
	swift build --product countersign-acs
	@Packaging/demo-card $(CURDIR)/.build/debug $(WEB)

web: ## Build the device for browsers into .build/web, and the list of its files
	@Packaging/prepare web
	@Packaging/web

test: ## Build and run all tests, and each benchmark once
	@Packaging/prepare build test bench
	@Packaging/reference-checkers || echo "Not tested: the checks with programs from PyPI, which could not be installed."
	swift build --build-tests $(BUILD_OPTIONS)
	@Tests/run .build/debug
	@Packaging/prepare browser web && Packaging/browser-driver && Packaging/web --only-build || \
	    echo "Not tested: the device for browsers, because Chromium, selenium or libargon2 could not be installed."
	@Packaging/prepare other-browsers || \
	    echo "Not tested: the device in Firefox and in WebKitGTK, which could not be installed."
	@[ -d $(EXTRA_VECTORS) ] || echo "Not tested: the vectors of $(EXTRA_VECTORS), which does not exist."
	@Tests/browsers .build/debug
	BENCHMARK_PROGRAMS=.build/debug Benchmarks/with-postgres .build/debug/benchmarks --smallest

test-web: ## Test the device in Chromium, Firefox and WebKitGTK, and card payments in Chromium
	@Packaging/prepare build browser other-browsers web
	@Packaging/browser-driver
	@Packaging/reference-checkers || echo "Not tested: card payments, because programs from PyPI could not be installed."
	@Packaging/web --only-build
	swift build $(BUILD_OPTIONS) --product countersignd
	swift build $(BUILD_OPTIONS) --product countersign
	swift build $(BUILD_OPTIONS) --product countersign-acs
	swift build $(BUILD_OPTIONS) --product PageProgram
	@Tests/browsers .build/debug

# Each of these tests starts many threads and processes, so they are not run in parallel.
intense_tests := /(BackupTests|ChallengeTests|CodeStatisticsTests|ElementTests|EvidenceFileTests|HostileMessageTests|InitTests|IssuerAPITests|KillTests|LeakTests|NonceTests|PINChangeTests|RaceTests|SchemathesisTests|SlowClientTests|WritePointTests|WrongCodeTests)\.swift
# The other tests run on one store in `make test`.
prove: ## Kill and race the verifier many times, and test fresh machines; over an hour
	@Packaging/prepare build test prove
	@Packaging/reference-checkers || echo "Not tested: the checks with programs from PyPI, which could not be installed."
	swift build --build-tests
	PROVE=all swift test --skip-build --disable-xctest --quiet --no-parallel \
	    --filter '$(intense_tests)'
	PROVE=all swift test --skip-build --disable-xctest --quiet \
	    --filter '^(Device|ThreeDSIssuer|Verification|VerifierServer)Tests\.' --skip '$(intense_tests)'
	Tests/FreshMachine/run
	Tests/FreshPackage/run
	Tests/WithoutCards/run
	Tests/Reproducible/run

lint: ## Check the style of Swift and shell sources
	@Packaging/prepare test
	swift format lint --strict -r -p Package.swift Sources Tests Examples Benchmarks
	shellcheck Packaging/archives Packaging/bill-of-materials Packaging/demo Packaging/demo-card Packaging/demo-web \
	    Packaging/docs Packaging/browser-driver Packaging/playground Packaging/postgres \
	    Packaging/prepare Packaging/reference-checkers Packaging/web \
	    Packaging/debian/countersign/postinst Packaging/debian/countersign/postrm \
	    Packaging/debian/countersign/prerm \
	    Packaging/debian/countersign-acs/postinst Packaging/debian/countersign-acs/postrm \
	    Packaging/debian/countersign-acs/prerm \
	    Tests/FreshMachine/run Tests/FreshMachine/make-demo Tests/FreshMachine/install-package \
	    Tests/FreshPackage/run Tests/Reproducible/run Tests/WithoutCards/run \
	    Tests/run Tests/browsers Tests/ChallengePageTests/run Tests/WebTests/run Tests/Fuzz/run .ci/run Benchmarks/with-postgres

prose: ## Print every breach of plain English, below AREA=Sources/Verification or everywhere
	@swift run --quiet $(BUILD_OPTIONS) ProseCheck $(AREA)

prose-budget: ## Lower the budget of Tests/ArchitectureTests/prose-budget.txt to the counts
	@swift run --quiet $(BUILD_OPTIONS) ProseCheck --lower

references: ## Generate the reference pages in docs from the programs
	@Packaging/prepare build
	for program in $(programs); do \
	    swift build $(BUILD_OPTIONS) --product $$program && \
	    LC_ALL=C .build/debug/$$program manual --markdown >docs/reference/$$program.md || exit; \
	done
	.build/debug/countersign-acs reference configuration >docs/operate/acs-configuration.md
	for page in configuration policy; do \
	    .build/debug/countersignd reference $$page >docs/operate/$$page.md || exit; \
	done

format: ## Rewrite Swift sources in the style that lint requires
	@Packaging/prepare
	swift format -i -r -p Package.swift Sources Tests Examples Benchmarks

# Not optimized: with -O, the compiler of Swift 6.3 crashes on a test target.
sanitize: ## Run all tests under the address and the thread sanitizer
	@Packaging/prepare build test
	for sanitizer in address thread; do \
	    swift build --build-tests --sanitize $$sanitizer --scratch-path .build/$$sanitizer && \
	        ASAN_OPTIONS=detect_leaks=0 Tests/run .build/$$sanitizer/debug || exit; \
	done

docs: ## Build all documentation as a site into .build/docs
	@Packaging/prepare build docs
	swift build $(BUILD_OPTIONS)
	@Packaging/docs

fuzz: ## Fuzz every parser of foreign input, FUZZ_SECONDS=600 in total
	@Packaging/prepare build
	Tests/Fuzz/run $(FUZZ_SECONDS)

# A build folder of its own: the release is built with other options.
bench: release ## Compare with C libraries, jwcrypto, pgbench, nginx and curl; measure the page in Chromium
	@Packaging/prepare build bench
	@Packaging/prepare browser && Packaging/browser-driver || \
	    echo "Not measured: the device for browsers, because Chromium or selenium could not be installed."
	@Packaging/reference-checkers || echo "Not measured: jwcrypto, because it could not be installed."
	swift build -c release --scratch-path .build/benchmarks --product benchmarks
	Benchmarks/with-postgres .build/benchmarks/release/benchmarks

bench-large: ## Measure a store of 10 million accounts; takes an hour and 20 GB of disk
	@Packaging/prepare build bench
	swift build -c release --scratch-path .build/benchmarks --product benchmarks
	.build/benchmarks/release/benchmarks --large

# Swift's runtime uses little of the C++ library, so it is linked statically: as a shared library it
# needs a megabyte per process. The linker finds it in a folder without other libraries. Each function
# has its own section, so that the linker drops unused ones and keeps one of several equal ones. This
# makes the code a tenth smaller.
#
# The hash of each Swift module depends on the path of the folder, and the build id depends on the
# hashes. Without both, two builds are equal.
stripped = -R .swift_modhash -R .note.gnu.build-id
release: ## Build programs, man pages, a tarball, three .deb and an SBOM into .build/dist
	@Packaging/prepare build web
	@Packaging/web --check $(dist)/web
	mkdir -p $(dist) .build/static
	ln -sf "$$(clang++ -print-file-name=libstdc++.a)" .build/static
	for program in $(programs); do \
	    swift build -c release --static-swift-stdlib --disable-local-rpath --product $$program \
	        -Xswiftc -L$(CURDIR)/.build/static -Xswiftc -Xclang-linker -Xswiftc -static-libgcc \
	        -Xswiftc -Xfrontend -Xswiftc -function-sections -Xlinker --icf=all || exit; \
	    strip $(stripped) -o $(dist)/$$program .build/release/$$program || exit; \
	    du -hL --apparent-size .build/release/$$program $(dist)/$$program; \
	done
	Packaging/archives $(dist)

# Does not need the Swift toolchain if the release is built: often root runs it.
install: install-approval install-card-payments install-acs ## Install the release, PREFIX=/usr/local, below DESTDIR

# Installs programs with their completions.
define install_programs
	install -D -t $(DESTDIR)$(PREFIX)/bin $^
	for program in $(^F); do \
	    install -D -m 644 $(dist)/$$program.bash $(share)/bash-completion/completions/$$program && \
	    install -D -m 644 $(dist)/$$program.zsh $(share)/zsh/site-functions/_$$program && \
	    install -D -m 644 $(dist)/$$program.fish \
	        $(share)/fish/vendor_completions.d/$$program.fish || exit; \
	done
endef

# Installs the systemd unit of a program.
define install_unit
	install -d $(lib)/systemd/system
	sed 's|@BIN@|$(PREFIX)/bin|' Packaging/systemd/$(1).service \
	    > $(lib)/systemd/system/$(1).service
endef

install-card-payments: $(dist)/countersign-3ds
	$(install_programs)
	install -D -m 644 -t $(share)/man/man1 $(dist)/countersign-3ds.1

install-acs: $(dist)/countersign-acs
	$(install_programs)
	install -D -m 644 -t $(share)/man/man8 $(dist)/countersign-acs.8
	$(call install_unit,countersign-acs)
	install -D -m 644 -t $(lib)/sysusers.d Packaging/systemd/countersign-acs.conf

install-approval: $(dist)/countersign $(dist)/countersignd
	$(install_programs)
	install -D -m 644 -t $(share)/man/man1 $(dist)/countersign.1
	install -D -m 644 $(dist)/countersign.de.1 $(share)/man/de/man1/countersign.1
	install -D -m 644 -t $(share)/man/man8 $(dist)/countersignd.8
	install -d $(share)/countersign
	cp -r --preserve=mode $(dist)/web $(share)/countersign
	$(call install_unit,countersignd)
	install -m 644 Packaging/systemd/countersignd.socket $(lib)/systemd/system
	install -D -m 644 -t $(lib)/sysusers.d Packaging/systemd/countersign.conf

$(addprefix $(dist)/,$(programs)) &:
	$(MAKE) release

clean: ## Remove all build results
	rm -rf .build
