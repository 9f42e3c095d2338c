import CommandLineTool
import Foundation
import TestSupport
import Testing

/// The archives that `Packaging/archives` creates, read by the tools that install them.
@Suite struct `The release archives` {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

    private static let programs = [
        "countersign", "countersignd", "countersign-3ds", "countersign-acs",
    ]

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try copyPrograms(to: folder.path)
        // Packaging/web builds the whole device for browsers; its own tests use it.
        let web = folder.path + "/web"
        try FileManager.default.createDirectory(atPath: web, withIntermediateDirectories: false)
        _ = try folder.write("<!doctype html>", to: "web/index.html")
    }

    private func copyPrograms(to path: String) throws {
        for program in Self.programs {
            // As in a release; smaller files are packed in less time.
            let stripped = try FinishedProcess.run(
                "strip",
                ["-o", "\(path)/\(program)", BuiltProducts.path(of: program)]
            )
            try #require(stripped.exitCode == 0, "\(stripped.errorOutput)")
        }
    }

    private func archives(_ words: String...) throws -> FinishedProcess {
        try FinishedProcess.run(Self.root.appending(path: "Packaging/archives").path, words)
    }

    @Test func `a bill of materials without the version of a library is refused`() throws {
        let tools = try TemporaryFolder()
        let query = try tools.write(
            """
            #!/bin/sh
            [ "$1" != -W ] || exit 0
            exec /usr/bin/dpkg-query "$@"
            """,
            to: "dpkg-query"
        )
        #expect(chmod(query, 0o755) == 0)
        let path = try #require(ProcessInfo.processInfo.environment["PATH"])
        func bill(_ path: String) throws -> FinishedProcess {
            try FinishedProcess.run(
                Self.root.appending(path: "Packaging/bill-of-materials").path,
                [folder.path, "1.0", "0"],
                environment: ["PATH": path]
            )
        }
        let refused = try bill(tools.path + ":" + path)
        #expect(refused.exitCode != 0)
        #expect(refused.output == "")
        #expect(refused.errorOutput.hasPrefix("bill-of-materials: no version of "))
        #expect(try bill(path).exitCode == 0)
    }

    private func run(_ program: String, _ words: String...) throws -> String {
        let run = try FinishedProcess.run(program, words)
        try #require(run.exitCode == 0, "\(program) \(words): \(run.errorOutput)")
        return run.output
    }

    @Test(.timeLimit(.minutes(5)), .needsWipingAllocator)
    func `are packages and a tarball, each with all installed files`() throws {
        // Debug builds run only on this machine, so their archives are drafts.
        let result = try archives("--draft", folder.path)
        try #require(result.exitCode == 0, "\(result.errorOutput)")
        let page = try String(
            contentsOf: Self.root.appending(path: "docs/operate/install.md"),
            encoding: .utf8
        )
        let paths = result.output.split(separator: "\n").map(String.init)
        try #require(paths.count == 6)
        for path in paths {
            #expect(page.contains(URL(filePath: path).lastPathComponent), "\(path)")
        }
        let sums = try run("sh", "-c", "cd \(folder.path) && sha256sum --check SHA256SUMS")
        #expect(sums.matches(of: /: OK\n/).count == 5)
        let files = [
            "bin/countersign", "bin/countersignd", "lib/systemd/system/countersignd.service",
            "lib/systemd/system/countersignd.socket", "lib/sysusers.d/countersign.conf",
            "share/bash-completion/completions/countersign",
            "share/fish/vendor_completions.d/countersign.fish", "share/doc/countersign/README.md",
            "share/countersign/web/index.html",
        ]
        let localFiles = [
            "share/man/man1/countersign.1", "share/man/de/man1/countersign.1",
            "share/man/man8/countersignd.8", "share/zsh/site-functions/_countersignd",
        ]
        let packagedFiles = [
            "share/man/man1/countersign.1.gz", "share/man/de/man1/countersign.1.gz",
            "share/doc/countersign/copyright", "share/zsh/vendor-completions/_countersignd",
        ]
        let tarball = try run("tar", "-tzf", paths[0])
        let cardFiles = [
            "bin/countersign-3ds", "bin/countersign-acs", "share/man/man8/countersign-acs.8",
            "lib/systemd/system/countersign-acs.service", "lib/sysusers.d/countersign-acs.conf",
        ]
        for file in files + localFiles + cardFiles {
            #expect(tarball.contains("countersign-\(Program.release)/\(file)\n"), "\(file)")
        }
        let package = try run("dpkg-deb", "-c", paths[1])
        for file in files + packagedFiles {
            #expect(package.contains(" ./usr/\(file)\n"), "\(file)")
        }
        #expect(!package.contains(" ./etc"))
        #expect(!package.contains("3ds") && !package.contains("acs"))
        let fields = try run("dpkg-deb", "-f", paths[1], "Package", "Version", "Depends")
        #expect(fields.contains("Version: \(Program.release)\n"))
        for library in ["libargon2-1", "libssl3", "libpq5", "libsqlite3-0", "libc6"] {
            #expect(fields.contains(library), "\(library)")
        }
        try expectCardPackage(paths[2])
        try expectACSPackage(paths[3])
        try expectNoFindings(
            to: [
                "countersign.1", "countersign.de.1", "countersignd.8", "countersign-3ds.1",
                "countersign-acs.8",
            ]
        )
        try expectTimes(ofFilesIn: paths[0])
        try expectProgram("countersignd", whereItsUnitHasItIn: paths[1])
        try expectProgram("countersign-acs", whereItsUnitHasItIn: paths[3])
    }

    private func expectCardPackage(_ path: String) throws {
        try expect(
            "countersign-3ds",
            with: [
                "bin/countersign-3ds", "share/bash-completion/completions/countersign-3ds",
                "share/fish/vendor_completions.d/countersign-3ds.fish",
                "share/man/man1/countersign-3ds.1.gz",
                "share/zsh/vendor-completions/_countersign-3ds",
            ],
            in: path
        )
        let depends = try run("dpkg-deb", "-f", path, "Depends")
        #expect(depends.contains("libssl3") && !depends.contains("libpq5"))
    }

    private func expectACSPackage(_ path: String) throws {
        try expect(
            "countersign-acs",
            with: [
                "bin/countersign-acs", "lib/systemd/system/countersign-acs.service",
                "lib/sysusers.d/countersign-acs.conf",
                "share/bash-completion/completions/countersign-acs",
                "share/fish/vendor_completions.d/countersign-acs.fish",
                "share/man/man8/countersign-acs.8.gz",
                "share/zsh/vendor-completions/_countersign-acs",
            ],
            in: path
        )
        let depends = try run("dpkg-deb", "-f", path, "Depends")
        for library in ["libcurl4", "libpq5", "libsqlite3-0", "libssl3", "systemd"] {
            #expect(depends.contains(library), "\(library)")
        }
        #expect(!depends.contains("libqrencode4"))
        let scripts = try run("dpkg-deb", "-I", path)
        for script in ["postinst", "postrm", "prerm"] { #expect(scripts.contains(script)) }
    }

    /// Expects a package with these files below `/usr` and the documents, whose program runs.
    private func expect(_ name: String, with files: Set<String>, in path: String) throws {
        let list = try run("dpkg-deb", "-c", path)
        let found = list.matches(of: /\.\/usr\/(\S*[^\/\s])\n/).map { String($0.1) }
        let documents = ["CHANGELOG.md", "README.md", "SECURITY.md", "changelog.gz", "copyright"]
        #expect(Set(found) == files.union(documents.map { "share/doc/\(name)/\($0)" }))
        #expect(!list.contains(" ./etc") && !list.contains(" ./var"))
        let fields = try run("dpkg-deb", "-f", path, "Package", "Version")
        #expect(fields == "Package: \(name)\nVersion: \(Program.release)\n")
        let target = try TemporaryFolder()
        _ = try run("dpkg-deb", "-x", path, target.path)
        let version = try run(target.path + "/usr/bin/\(name)", "--version")
        #expect(version == "\(name) \(Program.release)\n")
    }

    /// Checks the pages with both programs that show manual pages.
    private func expectNoFindings(to pages: [String]) throws {
        for page in pages {
            let path = "\(folder.path)/\(page)"
            let mandoc = try FinishedProcess.run("mandoc", ["-Tlint", "-Wall", path])
            #expect(mandoc.output + mandoc.errorOutput == "")
            let groff = try FinishedProcess.run("groff", ["-man", "-Tutf8", "-ww", "-z", path])
            #expect(groff.output + groff.errorOutput == "")
        }
    }

    /// The archives contain nothing of the build machine, so equal sources give equal archives.
    private func expectTimes(ofFilesIn tarball: String) throws {
        let list = try run("tar", "--full-time", "-tvzf", tarball).split(separator: "\n")
        let times = list.map { $0.split(separator: " ")[3...4].joined(separator: " ") }
        #expect(Set(times).count == 1)
        #expect(list.allSatisfy { $0.contains(" 0/0 ") })
    }

    private func expectProgram(_ name: String, whereItsUnitHasItIn package: String) throws {
        let target = try TemporaryFolder()
        _ = try run("dpkg-deb", "-x", package, target.path)
        let unit = try String(
            contentsOfFile: target.path + "/usr/lib/systemd/system/\(name).service",
            encoding: .utf8
        )
        #expect(unit.contains("\nExecStart=/usr/bin/\(name) run\n"))
        let version = try run(target.path + "/usr/bin/\(name)", "--version")
        #expect(version == "\(name) \(Program.release)\n")
        let manual = target.path + "/usr/share/man/man8"
        let page = try run("mandoc", "-Tutf8", manual + "/\(name).8.gz")
        #expect(page.contains("\(name) - "))
    }

    @Test(
        .enabled(if: ReferenceCheckers.areInstalled, "programs from PyPI are needed"),
        .needsWipingAllocator
    )
    func `have a bill of all programs and libraries, which CycloneDX accepts`() throws {
        let result = try archives("--draft", folder.path)
        try #require(result.exitCode == 0, "\(result.errorOutput)")
        let bill = try Data(
            contentsOf: URL(filePath: "\(folder.path)/countersign-\(Program.release).cdx.json")
        )
        let listed = try ReferenceCheckers.check("bill.py", given: Array(bill))
        for program in Self.programs {
            let sum = try run("sha256sum", "\(folder.path)/\(program)").prefix(64)
            #expect(listed.contains("\(program) \(Program.release) \(sum)\n"))
        }
        let depends = try run("dpkg-query", "-W", "-f", "${Package} ${Version}\n", "libpq5")
        #expect(listed.contains(depends))
        for library in [
            "libargon2-1", "libssl3", "libsqlite3-0", "libc6", "libnghttp2-14", "libkrb5-3",
            "libstdc++", "Swift standard library",
        ] {
            #expect(listed.contains("\(library)"), "\(library)")
        }
        // In the modules of the web device.
        let wasi = try run("dpkg-query", "-W", "-f", "${Package} ${Version}\n", "wasi-libc")
        #expect(listed.contains(wasi))
        let pinned = try String(
            contentsOf: Self.root.appending(path: "Sources/Web/argon2/requirements.txt"),
            encoding: .utf8
        )
        let line = try #require(pinned.firstMatch(of: /(?m)^(.+)==(.+) --hash=sha256:(.+)$/))
        #expect(listed.contains("\(line.1) \(line.2) \(line.3)\n"))
    }

    @Test func `have the licences of all that is in the programs and in the web device`() throws {
        let web = Self.root.appending(path: "Packaging/web").path
        let licences = try String(contentsOfFile: web, encoding: .utf8)
            .matches(of: /[a-z0-9-]+-licence\.txt/).map { String($0.0) }
        #expect(Set(licences) == ["libargon2-licence.txt", "wasi-libc-licence.txt"])
        let copyright = try String(
            contentsOf: Self.root.appending(path: "Packaging/debian/copyright"),
            encoding: .utf8
        )
        for file in Set(licences) { #expect(copyright.contains(file)) }
    }

    @Test(.needsWipingAllocator)
    func `contain only programs that run with Debian's libraries`() throws {
        let refused = try archives(folder.path)
        #expect(refused.exitCode == 1)
        #expect(refused.errorOutput.contains("archives: no Debian package has lib"))
        #expect(!(try run("ls", folder.path).contains(".deb")))
    }
}
