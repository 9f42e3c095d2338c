import Cryptography
import Foundation

/// The page of a running verifier in Chromium, opened by its first measurement.
final class WebPage {
    private struct Opened {
        let folder: VerifierFolder
        let verifier: RunningServer
        let browser: WebBrowser
        var isActivated = false
    }

    private static let account = "bank/main/1"

    private var opened: Opened?

    /// All files that a browser can load: without licences.
    static func compressedByteCount() throws -> Double {
        let folder = Repository.web
        try checkFiles(in: folder)
        return try FileManager.default.subpathsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".gz") && !$0.hasSuffix("-licence.txt.gz") }
            .map { path in
                let attributes = try FileManager.default
                    .attributesOfItem(atPath: folder + "/" + path)
                guard let size = attributes[.size] as? NSNumber else {
                    throw BenchmarkFailure("no size of \(path)")
                }
                return size.doubleValue
            }
            .reduce(0, +)
    }

    static func checkFiles(in folder: String) throws {
        guard FileManager.default.fileExists(atPath: folder + "/index.html") else {
            throw NotMeasured(missing: [folder])
        }
    }

    /// From the start of the navigation until the first screen was painted, with a new profile.
    func timeOfFirstScreen() throws -> Double {
        try browser().values(of: #"["first-screen"]"#, count: 1)[0]
    }

    /// From the request for pending transactions to the verdict, without the key derivation.
    func timeOfApproval() throws -> Double {
        let browser = try browser()
        if opened?.isActivated == false {
            try activate(browser)
            opened?.isActivated = true
        }
        _ = try opened?.folder.createPayment(for: Self.account)
        let values = try browser.values(of: #"["approval"]"#, count: 3)
        guard values[1] > 0, values[2] == 1 else {
            throw BenchmarkFailure("no derivation, or other transactions: \(values)")
        }
        return values[0] - values[1]
    }

    /// The time that a caller waits for the key of the PIN.
    func argon2id(_ cost: Argon2id.Cost) throws -> Benchmark.Sample {
        let password = try Material.key(0).withBytes { $0.array }
        let salt = Material.bytes(ofKey: 1)
        let command =
            #"["argon2id", \#(password), \#(salt), \#(cost.passes), \#(cost.memoryKiB), "#
            + "\(cost.lanes)]"
        let values = try browser().values(of: command, count: 33)
        return Benchmark.Sample(cost: values[0], result: values.dropFirst().map { UInt8($0) })
    }

    private func activate(_ browser: WebBrowser) throws {
        guard let folder = opened?.folder else { throw BenchmarkFailure("no verifier runs") }
        try folder.countersignd("account", "add", Self.account, "--test")
        let (id, code) = try folder.createActivation(for: Self.account, "--web")
        _ = try browser.values(of: #"["activate", "\#(id)", "\#(code)"]"#, count: 1)
    }

    private func browser() throws -> WebBrowser {
        if let opened { return opened.browser }
        try Self.checkFiles(in: Repository.web)
        try WebBrowser.check()
        let folder = try VerifierFolder(isSecured: true, web: Repository.web)
        let verifier = try RunningServer(folder)
        let browser = try WebBrowser(at: folder.origin, trusting: folder.certificate)
        opened = Opened(folder: folder, verifier: verifier, browser: browser)
        return browser
    }
}
