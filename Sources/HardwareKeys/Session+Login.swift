import CPKCS11
import Cryptography

extension Session {
    /// Fails if a wrong PIN was entered since the last login: the PIN of the configuration may be it.
    func checkCountOfWrongPINs() throws(Failure) {
        let flags = try library.token(in: slot).flags
        guard flags & (CKF_USER_PIN_FINAL_TRY | CKF_USER_PIN_LOCKED) == 0 else {
            throw .lockedPIN
        }
        guard flags & CKF_USER_PIN_COUNT_LOW == 0 else { throw .wrongPINCounted }
    }

    /// A PIN that the token rejects must never be sent twice, so this is called once.
    func logIn(with pin: borrowing SecureBytes) throws(Failure) {
        do throws(Failure) {
            try pin.withBytes { pin throws(Failure) in
                try pin.withUnsafeBufferPointer { pin throws(Failure) in
                    // The library only reads the PIN.
                    let start = UnsafeMutablePointer(mutating: pin.baseAddress)
                    let count = CK_ULONG(pin.count)
                    try library.call("C_Login", accepting: CKR_USER_ALREADY_LOGGED_IN) {
                        $0.C_Login?(handle, CKU_USER, start, count)
                    }
                }
            }
        } catch .call(_, CKR_PIN_INCORRECT), .call(_, CKR_PIN_INVALID),
            .call(_, CKR_PIN_LEN_RANGE)
        {
            throw .wrongPIN
        } catch .call(_, CKR_PIN_LOCKED) {
            throw .lockedPIN
        } catch .call(_, let code) where !Self.codesBeforePIN.contains(code) {
            throw .login(code: code)
        }
    }

    /// The results of a login for which no token compares the PIN.
    private static let codesBeforePIN: Set<CK_RV> = [
        CKR_CRYPTOKI_NOT_INITIALIZED, CKR_DEVICE_REMOVED, CKR_FUNCTION_NOT_SUPPORTED,
        CKR_HOST_MEMORY, CKR_SESSION_CLOSED, CKR_SESSION_HANDLE_INVALID, CKR_TOKEN_NOT_PRESENT,
        CKR_TOKEN_NOT_RECOGNIZED, CKR_USER_ANOTHER_ALREADY_LOGGED_IN,
        CKR_USER_PIN_NOT_INITIALIZED, CKR_USER_TOO_MANY_TYPES,
    ]

    func tokenName() throws(Failure) -> TokenName {
        TokenName(try library.token(in: slot))
    }
}

/// Distinguishes a token from another one in the same slot.
struct TokenName: Equatable, Sendable {
    private let bytes: [UInt8]

    init(_ token: CK_TOKEN_INFO) {
        bytes =
            withUnsafeBytes(of: token.label, Array.init)
            + withUnsafeBytes(of: token.serialNumber, Array.init)
    }
}
