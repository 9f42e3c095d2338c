import StrictJSON
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@Suite struct `The policy of web devices` {
    private func policy(_ document: String) throws -> EnterprisePolicy {
        try EnterprisePolicy(document: #"{"webDevices": \#(document)}"#)
    }

    private func content(
        _ context: Transaction.Context = .payment,
        _ amounts: [(UInt64, String)]
    ) throws -> Transaction.Content {
        try Transaction.Content(
            context: context,
            title: DisplayText("Title"),
            amounts: try amounts.map { try .of($0.0, $0.1) },
            payees: context == .payment ? Transaction.Content.payment(of: 1).payees : []
        )
    }

    @Test func `SEC-113: allows none by default, and then requires PRF without a limit`() throws {
        let standard = WebDevicePolicy(isAllowed: false, requiresPRF: true, ceilings: nil)
        #expect(EnterprisePolicy.default.webDevices == standard)
        #expect(try policy("{}").webDevices == standard)
        let allowed = try policy(#"{"allowed": true}"#).webDevices
        #expect(allowed == WebDevicePolicy(isAllowed: true, requiresPRF: true, ceilings: nil))
        #expect(allowed.allows(try content(.payment, [(1_000_000_00, "CHF")])))
        #expect(allowed.allows(try content(.action, [])))
    }

    @Test(
        arguments: [
            ([(30_00, "EUR")], true), ([(30_01, "EUR")], false), ([(500, "JPY")], true),
            ([(30_00, "EUR"), (500, "JPY")], true), ([(30_00, "EUR"), (501, "JPY")], false),
            ([(1, "CHF")], false), ([(1, "EUR"), (1, "CHF")], false),
        ] as [([(UInt64, String)], Bool)]
    )
    func `SEC-113: allow each currency up to its ceiling, and no other`(
        _ amounts: [(UInt64, String)],
        _ isAllowed: Bool
    ) throws {
        let ceilings = try [Amount.of(30_00), .of(500, "JPY")]
        let policy = WebDevicePolicy(isAllowed: true, requiresPRF: false, ceilings: ceilings)
        for context in [Transaction.Context.payment, .action] {
            #expect(policy.allows(try content(context, amounts)) == isAllowed)
        }
    }

    @Test func `SEC-113: with ceilings, content without an amount is above them, except a login`()
        throws
    {
        for ceilings in [[], [try Amount.of(30_00)]] {
            let policy = WebDevicePolicy(isAllowed: true, requiresPRF: false, ceilings: ceilings)
            #expect(!policy.allows(try content(.action, [])))
            #expect(policy.allows(try content(.login, [])))
            #expect(!policy.allows(try content(.login, [(30_01, "EUR")])))
            #expect(!policy.allows(try .loginWithPayee()))
        }
        let none = WebDevicePolicy(isAllowed: true, requiresPRF: false, ceilings: [])
        #expect(!none.allows(try content(.payment, [(0, "EUR")])))
    }

    @Test(
        arguments: [
            (#"{"allowed": 1}"#, "/webDevices/allowed"),
            (#"{"requiresPRF": "yes"}"#, "/webDevices/requiresPRF"),
            (#"{"ceiling": []}"#, "/webDevices/ceiling"),
            (#"{"ceilings": {}}"#, "/webDevices/ceilings"),
            (
                #"{"ceilings": [{"currency": "XXX", "minorUnits": 1}]}"#,
                "/webDevices/ceilings/0/currency"
            ),
            (
                #"{"ceilings": [{"currency": "EUR", "minorUnits": -1}]}"#,
                "/webDevices/ceilings/0/minorUnits"
            ),
        ]
    )
    func `a document with another rule is refused`(_ document: String, _ pointer: String) {
        #expect(pointers(of: #"{"webDevices": \#(document)}"#) == [pointer])
    }

    @Test func `SEC-113: an enterprise with biometric alone cannot allow web devices`() {
        let document = #"{"authentication": ["biometric"], "webDevices": {"allowed": true}}"#
        #expect(pointers(of: document) == ["/webDevices"])
        #expect(pointers(of: document.replacing("true", with: "false")) == [])
    }

    private func pointers(of document: String) -> [String] {
        do throws(EnterprisePolicy.Failure) {
            _ = try EnterprisePolicy(document: document)
        } catch .violations(let violations) {
            return violations.map(\.pointer)
        } catch {
            Issue.record("\(error)")
        }
        return []
    }

    @Test func `SEC-113: a device gets the kind that its activation is for, and no biometric`()
        throws
    {
        let types = #""authentication": ["userPIN", "consent", "biometric"]"#
        for requiresPRF in [true, false] {
            let web = #""webDevices": {"allowed": true, "requiresPRF": \#(requiresPRF)}"#
            let policy = try EnterprisePolicy(document: "{\(types), \(web)}")
            let app = policy.forDevice(isWeb: false)
            #expect(app.device == .app)
            #expect(app.authentication == .all)
            let device = policy.forDevice(isWeb: true)
            #expect(device.device == (requiresPRF ? .webWithPRF : .web))
            #expect(device.authentication == [.userPIN, .consent])
            for policy in [app, device] { #expect(DevicePolicy(policy.bytes) == policy) }
        }
    }
}
