import FailureTranslation
import Glibc

extension VerifierServer.Configuration {
    /// Checks the files of the web device as the start of a server does.
    package func checkWebFiles() throws(VerifierServer.Failure) {
        _ = try webContent(of: WebFiles.all)
    }

    /// Nil if the web device is not configured.
    func webContent(
        of files: [WebFile]
    ) throws(VerifierServer.Failure) -> WebContent? {
        guard let web else { return nil }
        let folder = web.files ?? Web.packagedFiles
        return try translating(WebContent(files, in: folder)) { VerifierServer.Failure(.web($0)) }
    }
}

extension VerifierServer.Configuration.Web {
    /// `share/countersign/web` next to the `bin` of the running program.
    static var packagedFiles: String {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count)
        let program = String(
            decoding: path.prefix(max(0, count)).map(UInt8.init(bitPattern:)),
            as: UTF8.self
        )
        let prefix = program.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
        return prefix + "/share/countersign/web"
    }
}
