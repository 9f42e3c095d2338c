import Cryptography
import OneTimePassword
import OneTimePasswordFormats

extension VectorType {
    static let pskc = VectorType(
        name: "pskc",
        inputs: [
            .text("document"), .bytes("pre_shared_key_hex").optional, .text("password").optional,
        ],
        results: [.text("id").optional, .list("keys")]
    ) { row in
        let bytes = Array(try row.text("document").utf8)
        let document = try PSKCDocument(reading: bytes.span, unlockedBy: try row.unlock())
        var results = ["keys": VectorCase.Value.list(document.keys.map { .object($0.facts) })]
        results["id"] = document.id.map { .text($0) }
        return results
    }
}

extension VectorCase {
    fileprivate func unlock() throws -> PSKCDocument.Unlock {
        if has("pre_shared_key_hex") {
            let key = try bytes("pre_shared_key_hex")
            return .preSharedKey(try SecretBytes(copying: key.span))
        }
        guard has("password") else { return .nothing }
        let password = Array(try text("password").utf8)
        return .password(try SecretBytes(copying: password.span))
    }
}

extension PSKCDocument.Key {
    /// The document's description of the key; missing values are omitted.
    fileprivate var facts: [String: VectorCase.Value] {
        let texts: [String: String?] = [
            "id": id, "algorithm": algorithm?.uri, "issuer": issuer,
            "secret_hex": secret.map { $0.withBytes { TextEncoding.hexadecimal.encode($0) } },
            "serial": device.serialNumber, "manufacturer": device.manufacturer,
            "model": device.model, "device_userid": device.userID, "key_userid": userID,
            "crypto_module": cryptoModuleID, "key_profile": profile, "key_reference": reference,
            "friendly_name": friendlyName, "suite": suite,
            "response_encoding": responseFormat?.format.rawValue,
            "counter": counter?.description, "time": time.map(String.init),
            "time_interval": timeIntervalSeconds.map(String.init),
        ]
        var facts = texts.compactMapValues { $0.map(VectorCase.Value.text) }
        facts["response_length"] = (responseFormat?.length).map { .integer(Int($0)) }
        if policy != PSKCDocument.Policy() { facts["policy"] = .object(policy.facts) }
        return facts
    }
}

extension PSKCDocument.Policy {
    fileprivate var facts: [String: VectorCase.Value] {
        let texts: [String: String?] = [
            "start_date": startDate, "expiry_date": expiryDate,
            "number_of_transactions": numberOfTransactions.map(String.init),
            "pin_key_id": pin?.keyID, "pin_usage": pin?.usageMode?.rawValue,
            "pin_encoding": pin?.format?.rawValue,
        ]
        let numbers: [String: UInt32?] = [
            "pin_min_length": pin?.minimumLength, "pin_max_length": pin?.maximumLength,
            "pin_max_failed_attempts": pin?.maximumFailedAttempts,
        ]
        var facts = texts.compactMapValues { $0.map(VectorCase.Value.text) }
        facts.merge(numbers.compactMapValues { $0.map { .integer(Int($0)) } }) { $1 }
        if !usages.isEmpty { facts["key_usage"] = .list(usages.map { .text($0.rawValue) }) }
        return facts
    }
}
