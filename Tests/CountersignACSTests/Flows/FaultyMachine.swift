import Foundation
import TestSupport

/// A library under an ACS that ends it at a write which a test chooses, and moves its clock.
///
/// A write is a call that changes a file, or sends to a connection. Lines of the log do not count.
struct FaultyMachine {
    struct Failure: Error {
        let reason: String
    }

    private static let folder = Result { try TemporaryFolder() }

    private static let library = Result {
        let folder = try Self.folder.get()
        let source = try folder.write(code, to: "machine.c")
        let path = folder.path + "/machine.so"
        let options = ["-shared", "-fPIC", "-Wall", "-Werror", "-o", path, source]
        let compiled = try FinishedProcess.run("clang", options)
        guard compiled.exitCode == 0 else { throw Failure(reason: compiled.errorOutput) }
        return path
    }

    private let state: TemporaryFolder

    init() throws {
        state = try TemporaryFolder()
        _ = try state.write(String(repeating: "\0", count: Member.allCases.count * 8), to: "state")
    }

    /// The words of a command that runs the program after them.
    func launcher() throws -> [String] {
        ["LD_PRELOAD=\(try Self.library.get())", "FAULTY_MACHINE=\(path)"]
    }

    /// Ends the process with the signal 9 right before this write from now on; 0 for none.
    func kill(atWrite number: Int) throws { try set(.left, to: number) }

    /// How many writes there were.
    func writes() throws -> Int { try value(of: .writes) }

    /// Sets the clock of the process ahead, by so many seconds more than before.
    func advance(seconds: Int) throws {
        try set(.seconds, to: value(of: .seconds) + seconds)
    }

    /// Whether the kernel would write the memory of the process to a core dump.
    func isDumpable() throws -> Bool { try value(of: .dumpable) != 0 }
}

// MARK: State

extension FaultyMachine {
    /// The members of the state, which is a file that the library maps.
    private enum Member: Int, CaseIterable {
        case left, writes, seconds, dumpable
    }

    private var path: String { state.path + "/state" }

    private func value(of member: Member) throws -> Int {
        let data = try Data(contentsOf: URL(filePath: path))
        return data.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: member.rawValue * 8, as: Int.self)
        }
    }

    private func set(_ member: Member, to value: Int) throws {
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: UInt64(member.rawValue * 8))
        try file.write(contentsOf: withUnsafeBytes(of: value) { Data($0) })
        try file.close()
    }

    private static let code = #"""
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <fcntl.h>
        #include <signal.h>
        #include <stdarg.h>
        #include <stdatomic.h>
        #include <stdlib.h>
        #include <sys/mman.h>
        #include <sys/prctl.h>
        #include <sys/socket.h>
        #include <sys/stat.h>
        #include <sys/uio.h>
        #include <time.h>
        #include <unistd.h>

        static struct { atomic_long left, writes, seconds, dumpable; } *machine;

        __attribute__((constructor)) static void start(void) {
            int file = open(getenv("FAULTY_MACHINE"), O_RDWR | O_CLOEXEC);
            machine = mmap(NULL, sizeof *machine, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
            if (machine == MAP_FAILED) abort();
            close(file);
        }

        static void step(void) {
            if (!machine) return;
            machine->dumpable = prctl(PR_GET_DUMPABLE);
            machine->writes++;
            if (machine->left > 0 && machine->left-- == 1) {
                kill(getpid(), SIGKILL);
                pause();
            }
        }

        /* Whether a descriptor is a file or a connection, and not one between threads. */
        static int is_outside(int file) {
            struct stat status;
            if (file <= STDERR_FILENO || fstat(file, &status) != 0) return 0;
            return S_ISREG(status.st_mode) || S_ISSOCK(status.st_mode);
        }

        #define WRAP(RESULT, NAME, PARAMETERS, ARGUMENTS, IS_WRITE) \
            RESULT NAME PARAMETERS { \
                static RESULT (*real) PARAMETERS; \
                if (!real) real = (RESULT (*) PARAMETERS)dlsym(RTLD_NEXT, #NAME); \
                if (IS_WRITE) step(); \
                return real ARGUMENTS; \
            }

        WRAP(ssize_t, write, (int a, const void *b, size_t c), (a, b, c), is_outside(a))

        WRAP(ssize_t, writev, (int a, const struct iovec *b, int c), (a, b, c), is_outside(a))

        WRAP(ssize_t, pwrite, (int a, const void *b, size_t c, off_t d), (a, b, c, d), 1)

        WRAP(ssize_t, pwrite64, (int a, const void *b, size_t c, off64_t d), (a, b, c, d), 1)

        WRAP(ssize_t, send, (int a, const void *b, size_t c, int d), (a, b, c, d), 1)

        WRAP(ssize_t, sendmsg, (int a, const struct msghdr *b, int c), (a, b, c), 1)

        WRAP(int, fsync, (int a), (a), 1)

        WRAP(int, fdatasync, (int a), (a), 1)

        WRAP(int, ftruncate, (int a, off_t b), (a, b), 1)

        WRAP(int, ftruncate64, (int a, off64_t b), (a, b), 1)

        WRAP(int, unlink, (const char *a), (a), 1)

        int clock_gettime(clockid_t clock, struct timespec *time) {
            static int (*real)(clockid_t, struct timespec *);
            if (!real) *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
            int result = real(clock, time);
            if (result == 0 && clock == CLOCK_REALTIME && machine) time->tv_sec += machine->seconds;
            return result;
        }
        """#
}
