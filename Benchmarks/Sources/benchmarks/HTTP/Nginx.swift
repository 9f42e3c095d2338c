import FoundationEssentials

/// An nginx process that stops with the value.
final class Nginx {
    let port: Int
    /// Nil without TLS.
    let certificate: Certificate?
    private let folder: TemporaryFolder

    private static let program = "/usr/sbin/nginx"

    init(responseBody: String, isSecured: Bool) throws {
        folder = try TemporaryFolder()
        certificate = isSecured ? try Certificate() : nil
        port = try freePort()
        try configuration(responseBody)
            .write(toFile: folder.path + "/nginx.conf", atomically: true, encoding: .utf8)
        try run([])
    }

    deinit {
        // If the stop fails, the idle nginx does not disturb later measurements.
        try? run(["-s", "stop"])
    }

    private func run(_ arguments: [String]) throws {
        let start = ["-e", folder.path + "/error.log", "-p", folder.path, "-c", "nginx.conf"]
        try Program.run(Self.program, start + arguments)
    }

    private func configuration(_ responseBody: String) -> String {
        let secured = certificate.map { certificate in
            """
            ssl_certificate \(certificate.file);
            ssl_certificate_key \(certificate.file);
            ssl_protocols TLSv1.2 TLSv1.3;
            """
        }
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
                    listen 127.0.0.1:\(port)\(secured == nil ? "" : " ssl");
                    \(secured ?? "")
                    location / { return 200 "\(responseBody)"; }
                }
            }
            """
    }
}
