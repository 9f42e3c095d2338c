import FoundationEssentials
import HTTPServer

/// An nginx of our own, which ends with the value.
final class Nginx {
    let port: Int
    let certificateFile: String
    private let folder: TemporaryFolder

    private static let program = "/usr/sbin/nginx"

    init(answer: String, isSecured: Bool) throws {
        folder = try TemporaryFolder()
        certificateFile = folder.path + "/certificate.pem"
        // Free a moment ago: nginx cannot choose a port itself.
        port = try Server([Listener("127.0.0.1", port: 0)]) { _ in Response(status: 404) }.ports[0]
        if isSecured { try makeCertificate() }
        try configuration(answer, isSecured)
            .write(toFile: folder.path + "/nginx.conf", atomically: true, encoding: .utf8)
        try run([])
    }

    deinit {
        // An nginx that is left behind disturbs nobody who measures: it is idle.
        try? run(["-s", "stop"])
    }

    private func run(_ arguments: [String]) throws {
        let start = ["-e", folder.path + "/error.log", "-p", folder.path, "-c", "nginx.conf"]
        try Program.run(Self.program, start + arguments)
    }

    private func makeCertificate() throws {
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        let names = ["-subj", "/CN=localhost", "-keyout", certificateFile, "-out", certificateFile]
        try Program.run("/usr/bin/openssl", ["req", "-x509"] + key + names)
    }

    private func configuration(_ answer: String, _ isSecured: Bool) -> String {
        let secured = """
            ssl_certificate \(certificateFile);
            ssl_certificate_key \(certificateFile);
            ssl_protocols TLSv1.2 TLSv1.3;
            """
        return """
            worker_processes 2;
            pid \(folder.path)/pid;
            events { worker_connections 1024; }
            http {
                access_log off;
                keepalive_requests 1000000000;
                default_type text/plain;
                client_body_temp_path \(folder.path);
                proxy_temp_path \(folder.path);
                fastcgi_temp_path \(folder.path);
                uwsgi_temp_path \(folder.path);
                scgi_temp_path \(folder.path);
                server {
                    listen 127.0.0.1:\(port)\(isSecured ? " ssl" : "");
                    \(isSecured ? secured : "")
                    location / { return 200 "\(answer)"; }
                }
            }
            """
    }
}
