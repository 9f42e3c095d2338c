import CPKCS11
import Glibc

/// The functions of a PKCS#11 library, which runs in this process.
///
/// `@unchecked`: the table of functions never changes.
final class Cryptoki: @unchecked Sendable {
    typealias Failure = SecurityModule.Failure

    private let functions: CK_FUNCTION_LIST

    init(loading path: String) throws(Failure) {
        let path = try Self.resolved(path)
        // Never unloaded: threads of the library may still run its code.
        guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            throw .unloadable(reason: dlerror().map { String(cString: $0) } ?? path)
        }
        guard let symbol = dlsym(library, "C_GetFunctionList") else {
            throw .unloadable(reason: "\(path) has no C_GetFunctionList")
        }
        typealias List = UnsafeMutablePointer<CK_FUNCTION_LIST>
        typealias Getter = @convention(c) (UnsafeMutablePointer<List?>?) -> CK_RV
        var list: List?
        let result = unsafeBitCast(symbol, to: Getter.self)(&list)
        guard result == CKR_OK, let list else { throw .call("C_GetFunctionList", code: result) }
        functions = list.pointee
    }

    /// The file behind all links; fails if another user can replace it or a folder above it.
    private static func resolved(_ path: String) throws(Failure) -> String {
        guard let resolved = realpath(path, nil) else {
            throw .unloadable(reason: "\(path): \(String(cString: strerror(errno)))")
        }
        defer { free(resolved) }
        let library = String(cString: resolved)
        try checkOwner(of: library)
        for end in library.indices.reversed() where library[end] == "/" {
            try checkOwner(of: end == library.startIndex ? "/" : String(library[..<end]))
        }
        return library
    }

    /// Whether two paths lead to one library: it has one state in each process.
    static func isOneLibrary(_ first: String, _ second: String) -> Bool {
        var (one, other) = (stat(), stat())
        guard stat(first, &one) == 0, stat(second, &other) == 0 else { return first == second }
        return one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }

    private static func checkOwner(of path: String) throws(Failure) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw .unloadable(reason: "\(path): \(String(cString: strerror(errno)))")
        }
        // In a folder with the sticky bit, only its owner replaces a file.
        let isSticky = status.st_mode & S_IFMT == S_IFDIR && status.st_mode & S_ISVTX != 0
        guard
            [0, geteuid()].contains(status.st_uid),
            isSticky || status.st_mode & (S_IWGRP | S_IWOTH) == 0
        else { throw .libraryOpenToOthers(path: path) }
    }

    /// The one place that checks a result.
    func call(
        _ name: String,
        accepting accepted: CK_RV = CKR_OK,
        _ function: (CK_FUNCTION_LIST) -> CK_RV?
    ) throws(Failure) {
        let result = function(functions) ?? CKR_FUNCTION_NOT_SUPPORTED
        guard result == CKR_OK || result == accepted else { throw .call(name, code: result) }
    }

    func initialize() throws(Failure) {
        var arguments = CK_C_INITIALIZE_ARGS()
        arguments.flags = CKF_OS_LOCKING_OK
        try call("C_Initialize", accepting: CKR_CRYPTOKI_ALREADY_INITIALIZED) {
            $0.C_Initialize?(&arguments)
        }
    }

    /// Ends all sessions; the next `initialize` finds tokens that were connected since.
    func finalize() {
        // Nothing depends on the result: the next call is `initialize`.
        _ = functions.C_Finalize?(nil)
    }
}

// MARK: Tokens

extension Cryptoki {
    func slot(of token: SecurityModule.Token) throws(Failure) -> CK_SLOT_ID {
        let slots = try slots()
        switch token {
        case .slot(let number):
            guard slots.contains(number) else { throw .noToken }
            return number
        case .label(let label):
            var matching: [CK_SLOT_ID] = []
            // `try?`: another token may fail, or be removed at this moment.
            for slot in slots where (try? self.label(of: slot)) == label { matching.append(slot) }
            guard let slot = matching.first else { throw .noToken }
            guard matching.count == 1 else { throw .severalTokens }
            return slot
        }
    }

    private func slots() throws(Failure) -> [CK_SLOT_ID] {
        var count: CK_ULONG = 0
        let withToken = CK_BBOOL(CK_TRUE)
        try call("C_GetSlotList") { $0.C_GetSlotList?(withToken, nil, &count) }
        var slots = [CK_SLOT_ID](repeating: 0, count: Int(count))
        try call("C_GetSlotList") { $0.C_GetSlotList?(withToken, &slots, &count) }
        return Array(slots.prefix(Int(count)))
    }

    func token(in slot: CK_SLOT_ID) throws(Failure) -> CK_TOKEN_INFO {
        var token = CK_TOKEN_INFO()
        try call("C_GetTokenInfo") { $0.C_GetTokenInfo?(slot, &token) }
        return token
    }

    private func label(of slot: CK_SLOT_ID) throws(Failure) -> String {
        let token = try token(in: slot)
        let padded = withUnsafeBytes(of: token.label, Array.init)
        let end = padded.lastIndex { $0 != UInt8(ascii: " ") && $0 != 0 }.map { $0 + 1 } ?? 0
        return String(decoding: padded[..<end], as: UTF8.self)
    }
}
