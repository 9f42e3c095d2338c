/// A complete configuration, and its variants.
enum SampleConfiguration {
    static let text = #"""
        {
            "store": {"sqlite": "acs.db"},
            "encryptionKeys": "encryption",
            "enterprise": "bank",
            "verifier": {"origin": "https://verifier.bank.example", "token": "verifier-token"},
            "directories": [{
                "rid": "A000000003",
                "clients": "clients.pem",
                "results": "https://ds.example/results",
                "authorities": "authorities.pem",
                "certificate": "client.pem", "key": "client.key",
                "signing": {"key": "signing.key", "certificates": "signing.pem"},
                "eci": "05", "rejectedECI": "07",
                "versions": ["2.1.0", "2.3.1"],
                "ranges": ["4000000000000000-4000009999999999"]
            }],
            "server": {
                "directories": {
                    "listen": ["127.0.0.1:8453"],
                    "tls": {
                        "certificate": "server.pem", "key": "server.key",
                        "clientAuthorities": "authorities.pem"
                    }
                },
                "challenges": {
                    "origin": "https://acs.bank.example",
                    "listen": ["192.0.2.1:8454"],
                    "tls": {"certificate": "server.pem", "key": "server.key"}
                },
                "issuer": {"listen": ["127.0.0.1:8455"], "token": "issuer-token"}
            },
            "operation": {"listen": ["127.0.0.1:8456"]},
            "approvalSeconds": 300, "language": "en",
            "texts": {"heading": {"en": "Example Bank", "de": "Musterbank"}},
            "images": {"medium": "https://www.bank.example/logo.png"},
            "webDevice": "https://approve.bank.example/approve/",
            "consent": false, "nonPayments": true, "decoupled": false,
            "informationOnly": ["riskAnalysed"],
            "frictionless": {"currency": "EUR", "maximum": 3000, "total": 10000, "count": 5},
            "sandbox": false,
            "log": {"level": "info"}
        }
        """#

    static func replacing(_ old: String, with new: String) -> String {
        text.replacing(old, with: new)
    }
}
