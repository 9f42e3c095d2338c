import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite struct `A disk that fills up` {
    private static let configuration = """
        {
            "store": {"sqlite": "disk/countersign.db"}, "journal": "journals/journal",
            "encryptionKeys": "e", "agreementKey": "a", "responseKey": "d", "checkpointKey": "c",
            "server": {"origin": "http://localhost", "listen": ["127.0.0.1:0"]},
            "operation": {"listen": ["127.0.0.1:0"]},
        }
        """

    /// Calls a verifier on disks of 80 MB, first empty and then full.
    private static let script = #"""
        cd "$1"
        for disk in disk journals; do
            mkdir -m 700 $disk
            mount -t tmpfs -o size=80m,mode=700 tmpfs $disk
        done
        "$2" init --config countersignd.json >init
        mkfifo said
        "$2" run --config countersignd.json 2>said &
        exec 3<said
        read -r line <&3
        port=$(echo "$line" | sed 's/.*"operation":."127.0.0.1:\([0-9]*\)".*/\1/')
        ask() { curl -s -w '%{http_code}\n' "http://127.0.0.1:$port$1"; }
        ask /health/ready
        for disk in disk journals; do
            head -c 20000000 /dev/zero >$disk/fill
            ask /health/ready
            ask /metrics | grep free_bytes{
            rm $disk/fill
            ask /health/ready
        done
        kill $!
        wait $!
        """#

    @Test(
        .enabled("unprivileged user namespaces are needed to mount a small disk") {
            try SmallDisk.mayBeMounted.get()
        }
    )
    func `the verifier is not ready while the disk is nearly full`() throws {
        let premises = try Premises()
        try premises.write(Self.configuration, to: "countersignd.json")
        let run = try SmallDisk.run(
            Self.script,
            premises.folder.path,
            BuiltProducts.path(of: "countersignd")
        )
        #expect(run.exitCode == 0, "\(run.errorOutput)")
        let lines = run.output.split(separator: "\n").map(String.init)
        let health = lines.filter { !$0.hasPrefix("countersign_") }
        #expect(
            health == [
                "ready", "200", "store.nearlyFull", "503", "ready", "200", "journal.nearlyFull",
                "503", "ready", "200",
            ]
        )
        let free = lines.filter { $0.hasPrefix("countersign_") }.compactMap { line in
            line.split(separator: " ").last.flatMap { Int($0) }
        }
        let isNearlyFull = free.map { $0 < 64 << 20 }
        #expect(isNearlyFull == [true, false, false, true])
    }

    /// Fills the disk of the store completely while the verifier runs, and makes room again.
    private static let outage = #"""
        cd "$1"
        for disk in disk journals; do
            mkdir -m 700 $disk
            mount -t tmpfs -o size=80m,mode=700 tmpfs $disk
        done
        "$2" init --config countersignd.json >init
        "$2" policy set bank policy.json --new --config countersignd.json >init
        token=$("$2" token create core issuer --enterprise bank --config countersignd.json)
        mkfifo said
        "$2" run --config countersignd.json 2>said &
        trap "kill $!" EXIT
        exec 3<said
        read -r line <&3
        port=$(echo "$line" | sed 's/.*"server":."127.0.0.1:\([0-9]*\)".*/\1/')
        add() {
            curl -s -o body -w '%{http_code}\n' -X PUT -H "Authorization: Bearer $token" \
                "http://127.0.0.1:$port/bank/v1/enterprises/bank/accounts/main/$1"
        }
        add before
        cat /dev/zero >disk/fill 2>errors || true
        for name in a b c; do add $name; done
        rm disk/fill
        while read -r line <&3; do
            echo "$line" >>log
            case "$line" in *'"outage ended"'*) break ;; esac
        done
        add after
        trap - EXIT
        kill $!
        wait $!
        cat <&3 >>log
        grep outage log
        """#

    @Test(
        .timeLimit(.minutes(5)),
        .enabled("unprivileged user namespaces are needed to mount a small disk") {
            try SmallDisk.mayBeMounted.get()
        }
    )
    func `a full disk is one line in the log when it begins, and one when it ends`() throws {
        let premises = try Premises()
        try premises.write(Self.configuration, to: "countersignd.json")
        try premises.write("{}", to: "policy.json")
        let run = try SmallDisk.run(
            Self.outage,
            premises.folder.path,
            BuiltProducts.path(of: "countersignd")
        )
        #expect(run.exitCode == 0, "\(run.errorOutput)")
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.prefix(5) == ["201", "503", "503", "503", "201"], "\(lines)")
        try #require(lines.count == 7, "\(lines)")
        #expect(lines[5].contains(#""level":"error","message":"outage began""#), "\(lines)")
        #expect(lines[5].contains(#""failure":"store.full""#), "\(lines)")
        #expect(lines[6].contains(#""message":"outage ended""#), "\(lines)")
    }

    /// Fills the disk of the journal, and makes tokens until a journal line needs more space.
    private static let unsigned = #"""
        cd "$1"
        for disk in disk journals; do
            mkdir -m 700 $disk
            mount -t tmpfs -o size=8m,mode=700 tmpfs $disk
        done

        "$2" init --config countersignd.json >init
        "$2" policy set bank policy.json --new --config countersignd.json >init
        cat /dev/zero >journals/fill 2>errors || true
        for number in $(seq 40); do
            "$2" token create core$number issuer --enterprise bank --config countersignd.json \
                >token 2>errors || break
        done

        cat errors
        wc -l <token
        rm journals/fill
        "$2" token list --config countersignd.json | grep -cw core$number
        "$2" token create core$number issuer --enterprise bank --config countersignd.json \
            2>errors || echo $?
        "$2" audit verify --config countersignd.json | grep -c "Not signed" || true
        """#

    @Test(
        .enabled("unprivileged user namespaces are needed to mount a small disk") {
            try SmallDisk.mayBeMounted.get()
        }
    )
    func `a command whose changes are not signed reports that they were made`() throws {
        let premises = try Premises()
        try premises.write(Self.configuration, to: "countersignd.json")
        try premises.write("{}", to: "policy.json")
        let run = try SmallDisk.run(
            Self.unsigned,
            premises.folder.path,
            BuiltProducts.path(of: "countersignd")
        )
        #expect(run.exitCode == 0, "\(run.errorOutput)")
        let failure = "countersignd: all changes were made, but not signed: the disk of "
        let lines = run.output.split(separator: "\n")
        #expect(lines.first == "\(failure)journals/journal is full", "\(lines)")
        let hint = "do not repeat the command: the next command or start signs them"
        #expect(
            lines.dropFirst() == ["hint: free some space; \(hint)", "1", "1", "73", "0"],
            "\(lines)"
        )
    }
}
