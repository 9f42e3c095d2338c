import Cryptography
import TestSupport
import Testing
import TransactionApproval

/// Python writes every message with Debian's `cryptography` package for the keys.
///
/// A changed text breaks all existing devices.
@Suite struct `Texts of device messages` {
    @Test func `equal the texts of another program`() throws {
        let values = try MessageValues()
        let python = try FinishedProcess.run(
            "/usr/bin/python3",
            ["-c", Self.program]
                + [values.offer.bytes, values.policy.bytes, values.transaction.canonicalBytes]
                .map { TextEncoding.hexadecimal.encode($0.span) }
        )
        #expect(python.exitCode == 0, "\(python.errorOutput)")
        let texts = python.output.split(separator: "\n").map(String.init)
        let samples = try MessageSample.all()
        #expect(texts.count == samples.count)
        for (sample, text) in zip(samples, texts) {
            #expect(String(decoding: sample.text, as: UTF8.self) == text, "\(sample.name)")
        }
    }

    /// Takes offer, policy and transaction, whose bytes have their own tests.
    private static let program = #"""
        import base64, hashlib, json, sys
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        def b64(content):
            return base64.urlsafe_b64encode(bytes(content)).decode().rstrip("=")

        def run(first, count):
            return bytes(range(first, first + count))

        def public_key(first):
            number = int.from_bytes(run(first, 32), "big")
            return ec.derive_private_key(number, ec.SECP256R1()).public_key()

        def key(first):
            point = public_key(first).public_bytes(
                Encoding.X962, PublicFormat.UncompressedPoint)
            return b64(point)

        offer, policy, transaction = [b64(bytes.fromhex(word)) for word in sys.argv[1:]]
        der = public_key(1).public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        server_key = hashlib.sha256(der).hexdigest()[:32]
        digest = b64(run(100, 32))
        signature = b64(run(1, 64))
        attempt = run(0xa0, 16).hex()
        device = run(0xd0, 16).hex()
        seed = b64(run(0, 60))
        envelope = {
            "attempt": attempt, "generation": "3", "epoch": "1",
            "counter": str(2**53 + 1), "code": "0f" * 32, "blind": b64(run(0xb0, 16))}
        claim = {
            "claim": {
                "activation": "01ABCDEFGH", "serverKey": server_key, "device": device,
                "ephemeralKey": key(33), "deviceKey": key(65), "deviceName": "Anna's phone"},
            "proof": digest}
        commit = {
            "submittedClaim": claim,
            "enrolments": [{
                "device": device, "deviceKey": key(65), "userSeed": seed, "deviceSeed": seed,
                "possession": signature}]}
        siblings = commit | {"sibling": {"device": run(0xe0, 16).hex(), "attempt": attempt}}

        def credential(generation):
            return {
                "enterprise": "bank", "id": run(0, 16).hex(), "kind": "user",
                "generation": generation}

        rekey = {
            "proposal": {
                "authority": credential("3"), "credential": credential("4"),
                "ephemeralKey": key(33), "serverKey": server_key},
            "seed": seed}
        position = {"generation": "3", "epoch": "1", "minimumCounter": "18"}
        moment = 1800000000000

        def decision(choice):
            return {
                "transaction": "tx-1", "choice": choice, "evidence": signature,
                "envelope": envelope}

        def push(setting):
            return {"attempt": attempt, "setting": setting}

        status = {
            "account": {"type": "main", "id": "4711"},
            "credentials": [
                {"id": run(0, 16).hex(), "kind": "user", "position": position,
                 "isEnabled": True},
                {"id": run(1, 16).hex(), "kind": "device", "position": position,
                 "isEnabled": False, "lock": {"until": moment}}],
            "policy": policy, "nextServerKey": key(1),
            "nextAgreementKey": {"key": key(65), "signature": signature}}

        requests = [
            claim, commit, siblings, {},
            {"unanswered": {"commit": {
                "activation": "01ABCDEFGH", "claim": digest, "deviceKey": key(65)}}},
            {"unanswered": {"codesBelow": "18"}}, {"transaction": "tx-1"},
            decision({"approve": "userPIN"}), decision({"reject": "notMe"}),
            {"dataDigest": digest, "type": "biometric", "envelope": envelope},
            {"envelope": envelope}, {"claimDigest": digest, "envelope": envelope}, {"rekey": rekey, "envelope": envelope},
            {"attempt": attempt}, push({"kind": "off"}), push({"kind": "events"}),
            push({"kind": "fcm", "token": "dX:APA91b_-9"}), {"attempt": attempt}]
        responses = [
            {"offer": offer, "mac": digest},
            {"outcomes": ["enrolled", "tooManyDevices", "accountReplaced"], "receipt": digest},
            status,
            {"transactions": ["tx-1", "tx-2"]},
            {"transaction": transaction, "typedDigits": 2}, {"login": "login-1"}, {},
            {"changes": [
                {"kind": "deviceActivated", "moment": moment, "deviceName": "Anna's phone"},
                {"kind": "activationIssued", "moment": moment},
                {"kind": "accountLinked", "moment": moment,
                    "account": {"type": "card", "id": "4712"}}]}]

        def problem(code, status, title, **details):
            return {"type": "urn:countersign:" + code, "title": title, "status": status} | details

        problems = [
            problem("noAccountActivated", 401,
                "No such account is set up on this device; set one up with an activation code."),
            problem("deviceRevoked", 403,
                "The bank no longer accepts this device; set it up again with a new activation "
                "code."),
            problem("clockSkew", 401,
                "The clock of the device is wrong; set date and time automatically and try again.",
                serverTime=moment),
            problem("invalidArgument", 400,
                "The app asked for something that cannot be done; update it, or contact its developer."),
            problem("rateLimited", 429,
                "There were too many requests in a short time; wait a few minutes and try again.",
                retryAfterSeconds=60),
            problem("serverUnavailable", 503,
                "The bank's service is not available at the moment, so the result is unknown; "
                "check what is pending before you try again."),
            problem("upgradeRequired", 410,
                "This app is too old for the bank's service; install the latest version of the "
                "app."),
            problem("accountAlreadyActivated", 409,
                "Each account of the activation has the maximum number of devices; remove another "
                "one first."),
            problem("activationCodeInvalid", 403,
                "The activation code is not right; check every character, or ask for a new code."),
            problem("activationCodeExpired", 410,
                "The activation code is too old; ask for a new one."),
            problem("unknownTransaction", 404,
                "The bank has no such request for this device; start again where it was made."),
            problem("transactionExpired", 410,
                "The time to decide is over and nothing was approved; start the request again."),
            problem("transactionAlreadyDecided", 409,
                "This request was decided before and cannot be changed; check where it was made.",
                finalState="withdrawn"),
            problem("authenticationFailed", 403,
                "The approval was not accepted; check the details and the PIN, and try again.",
                attemptsLeft=4),
            problem("credentialLocked", 423,
                "Approving is locked after too many failures; wait until the lock ends, or ask "
                "the bank.", lock={"until": moment}),
            problem("credentialLocked", 423,
                "Approving is locked after too many failures; wait until the lock ends, or ask "
                "the bank.", lock={"never": True}),
            problem("authenticationTypeNotAllowed", 403,
                "The bank does not allow this way of approving here; choose another one, or ask "
                "the bank."),
            problem("counterOutOfStep", 409,
                "Device and bank were out of step; try again.", position=position),
            problem("deviceWaiting", 403,
                "This device is new and cannot approve this yet; use another device, or wait "
                "until the time is over.", waitsUntil=moment),
            problem("amountAboveCeiling", 403,
                "This is above the limit for approvals in a browser; approve it with an app, or "
                "reject it here.")]
        for message in requests + responses + problems:
            print(json.dumps(message, separators=(",", ":")))
        """#
}
