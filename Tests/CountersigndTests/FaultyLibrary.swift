import Foundation
import ProgramTesting
import TestSupport

/// A PKCS#11 library over SoftHSM that notes its calls, and fails or hangs if a test wants it.
///
/// Only root or the user of the tests can write to its folder; otherwise it would be refused.
struct FaultyLibrary {
    static let path: String = {
        let built = BuiltProducts.path(of: "faulty-token.so")
        if isProtected(built) { return built }
        return FileManager.default.homeDirectoryForCurrentUser.path + "/.faulty-token.so"
    }()

    /// Whether no other user can exchange a folder above this file.
    private static func isProtected(_ path: String) -> Bool {
        var folder = URL(filePath: path).resolvingSymlinksInPath()
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            var status = stat()
            guard stat(folder.path, &status) == 0 else { return false }
            let isOpen = status.st_mode & (S_IWGRP | S_IWOTH) != 0
            if isOpen, status.st_mode & S_ISVTX == 0 { return false }
        }
        return true
    }

    private static let built = Result {
        let folder = try TemporaryFolder()
        let source = try folder.write(code, to: "token.c")
        let made = "\(path).\(getpid())"
        let compiled = try FinishedProcess.run("clang", ["-shared", "-fPIC", "-o", made, source])
        guard compiled.exitCode == 0 else {
            throw Premises.Failure(output: compiled.errorOutput)
        }
        // Another test process may build it too.
        guard rename(made, path) == 0 else { throw Premises.Failure(output: "rename") }
    }

    private let folder: TemporaryFolder

    init() throws {
        try Self.built.get()
        folder = try TemporaryFolder()
        try heal()
    }

    var environment: [String: String] {
        ["FAULT": folder.path + "/fault", "CALLS": folder.path + "/calls"]
    }

    /// The variables with which it finds one object at a time.
    var slowEnvironment: [String: String] { environment.merging(["SLOW": "1"]) { $1 } }

    /// From now on, calls of the function do not return until `heal`.
    func hang(_ function: String) throws { try set("\(function) hang") }

    /// From now on, calls of the function take 200 milliseconds longer.
    func delay(_ function: String) throws { try set("\(function) delay") }

    /// From now on, calls of the functions fail with these CKR values, and are not passed on.
    func fail(_ functions: [(name: String, code: UInt)]) throws {
        try set(functions.map { "\($0.name) \($0.code)" }.joined(separator: "\n"))
    }

    func fail(_ function: String, with code: UInt) throws { try fail([(function, code)]) }

    func fail(_ function: String, with code: UInt, andHang other: String) throws {
        try set("\(function) \(code)\n\(other) hang")
    }

    func heal() throws { try set("- 0") }

    private func set(_ fault: String) throws {
        let new = try folder.write(fault, to: "new")
        guard rename(new, folder.path + "/fault") == 0 else {
            throw Premises.Failure(output: "rename")
        }
    }

    func calls(of function: String) throws -> Int {
        guard let calls = FileManager.default.contents(atPath: folder.path + "/calls") else {
            return 0
        }
        return String(decoding: calls, as: UTF8.self).split(separator: "\n")
            .count { $0 == function }
    }

    private static let code = #"""
        #include <dlfcn.h>
        #include <fcntl.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>
        #include "/usr/include/p11-kit-1/p11-kit/pkcs11.h"

        static CK_FUNCTION_LIST_PTR real;

        /* Returns 1 and the result if the call must not be passed on. */
        static int fault(const char *name, CK_RV *result) {
            char line[64], word[32], note[64];
            int calls = open(getenv("CALLS"), O_WRONLY | O_APPEND | O_CREAT, 0600);
            int length = snprintf(note, sizeof note, "%s\n", name);
            if (write(calls, note, length) != length) abort();
            close(calls);
            for (;;) {
                FILE *file = fopen(getenv("FAULT"), "r");
                int found = 0;
                while (!found && fscanf(file, "%63s %31s", line, word) == 2) {
                    found = strcmp(line, name) == 0;
                }
                fclose(file);
                if (!found) return 0;
                if (strcmp(word, "delay") == 0) {
                    usleep(200000);
                    return 0;
                }
                if (strcmp(word, "hang") != 0) {
                    *result = strtoul(word, NULL, 10);
                    return 1;
                }
                usleep(10000);
            }
        }

        #define WRAP(NAME, PARAMETERS, ARGUMENTS) \
            static CK_RV my_##NAME PARAMETERS { \
                CK_RV result; \
                return fault(#NAME, &result) ? result : real->NAME ARGUMENTS; \
            }

        WRAP(C_Initialize, (void *a), (a))

        WRAP(C_Finalize, (void *a), (a))

        WRAP(C_OpenSession, (CK_SLOT_ID a, CK_FLAGS b, void *c, CK_NOTIFY d, CK_SESSION_HANDLE *e),
             (a, b, c, d, e))

        WRAP(C_Login, (CK_SESSION_HANDLE a, CK_USER_TYPE b, unsigned char *c, CK_ULONG d),
             (a, b, c, d))

        WRAP(C_FindObjectsInit, (CK_SESSION_HANDLE a, CK_ATTRIBUTE *b, CK_ULONG c), (a, b, c))

        static CK_RV my_C_FindObjects(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE *objects,
                                      CK_ULONG limit, CK_ULONG *count) {
            return real->C_FindObjects(session, objects, getenv("SLOW") ? 1 : limit, count);
        }

        WRAP(C_SignInit, (CK_SESSION_HANDLE a, CK_MECHANISM *b, CK_OBJECT_HANDLE c), (a, b, c))

        WRAP(C_Sign, (CK_SESSION_HANDLE a, unsigned char *b, CK_ULONG c, unsigned char *d,
             CK_ULONG *e), (a, b, c, d, e))

        WRAP(C_DeriveKey, (CK_SESSION_HANDLE a, CK_MECHANISM *b, CK_OBJECT_HANDLE c,
             CK_ATTRIBUTE *d, CK_ULONG e, CK_OBJECT_HANDLE *f), (a, b, c, d, e, f))

        WRAP(C_DestroyObject, (CK_SESSION_HANDLE a, CK_OBJECT_HANDLE b), (a, b))

        CK_RV C_GetFunctionList(CK_FUNCTION_LIST_PTR_PTR list) {
            static CK_FUNCTION_LIST mine;
            void *library = dlopen("/usr/lib/softhsm/libsofthsm2.so", RTLD_NOW | RTLD_LOCAL);
            CK_C_GetFunctionList get = (CK_C_GetFunctionList)dlsym(library, "C_GetFunctionList");
            CK_RV result = get(&real);
            if (result != CKR_OK) return result;
            mine = *real;
            mine.C_Initialize = my_C_Initialize;
            mine.C_Finalize = my_C_Finalize;
            mine.C_OpenSession = my_C_OpenSession;
            mine.C_Login = my_C_Login;
            mine.C_FindObjectsInit = my_C_FindObjectsInit;
            mine.C_FindObjects = my_C_FindObjects;
            mine.C_SignInit = my_C_SignInit;
            mine.C_Sign = my_C_Sign;
            mine.C_DeriveKey = my_C_DeriveKey;
            mine.C_DestroyObject = my_C_DestroyObject;
            *list = &mine;
            return CKR_OK;
        }
        """#
}
