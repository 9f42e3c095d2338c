import Foundation
import ProgramTesting
import TestSupport

extension Bank {
    /// A bank with a push service of its own, and perhaps with other rules than the standard ones.
    static func pushing(to service: TestServer, _ policy: String? = nil) throws -> Bank {
        try Bank { verifier in
            let url = service.url("/push", scheme: "http", host: "127.0.0.1")
            let webhook = """
                {"enterprise": "bank", "events": "pushes", "url": "\(url)", "secrets": ["keys/webhook"]}
                """
            let secret = "whsec_" + String(repeating: "QUJD", count: 8)
            try verifier.write(secret + "\n", to: "keys/webhook")
            let text = String(decoding: try verifier.contents("countersignd.json"), as: UTF8.self)
            let member = "\n{\n\"webhooks\": [\(webhook)],\n"
            let changed = text.replacing("\n{\n", with: member, maxReplacements: 1)
            try verifier.write(changed, to: "countersignd.json")
            if let policy { try verifier.setPolicy(policy) }
        }
    }
}
