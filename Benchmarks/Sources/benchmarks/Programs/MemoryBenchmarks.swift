extension Benchmark {
    /// The memory of an idle `countersignd run`, compared with its limit.
    static func memory(_ scale: Scale) -> [Benchmark] {
        func benchmark(
            _ name: String,
            atMost maximum: Double,
            streams: Int = 0,
            isSecured: Bool = true,
            pairCount: Int = 1
        ) -> Benchmark {
            Benchmark(
                name: "memory.\(name)-vs-limit",
                unit: "MB",
                target: .atMost(1),
                statistic: .medians,
                pairCount: pairCount,
                ours: { Sample(cost: try await idle(streams, isSecured).all / 1e6, result: []) },
                reference: { Sample(cost: maximum, result: []) }
            )
        }
        return [
            benchmark("idle", atMost: 25, pairCount: 5),
            Benchmark(
                name: "memory.idle.with-web-vs-idle",
                unit: "MB",
                target: nil,
                statistic: .medians,
                pairCount: 3,
                ours: {
                    let memory = try await idle(0, true, Repository.web)
                    return Sample(cost: memory.all / 1e6, result: [])
                },
                reference: { Sample(cost: try await idle(0, true).all / 1e6, result: []) }
            ),
            Benchmark(
                name: "memory.libraries-vs-all",
                unit: "MB",
                target: nil,
                statistic: .medians,
                pairCount: 1,
                ours: { Sample(cost: try await idle(0, true).ofLibraries / 1e6, result: []) },
                reference: { Sample(cost: try await idle(0, true).all / 1e6, result: []) }
            ),
            benchmark(
                "10k-streams.plain",
                atMost: 100,
                streams: scale(10_000, smallest: 50),
                isSecured: false
            ),
            benchmark("10k-streams.tls", atMost: 250, streams: scale(10_000, smallest: 50)),
        ]
    }

    /// The memory with `streamCount` devices that wait for events.
    private static func idle(
        _ streamCount: Int,
        _ isSecured: Bool,
        _ web: String? = nil
    ) async throws -> ResidentMemory {
        if let web { try WebPage.checkFiles(in: web) }
        let folder = try VerifierFolder(isSecured: isSecured, web: web)
        if streamCount > 0 { try await folder.addDevices(streamCount) }
        let verifier = try RunningServer(folder)
        let streams = try OpenStreams(at: folder, isSecured: isSecured, count: streamCount)
        let memory = try ResidentMemory(of: verifier.process)
        try streams.check()
        return memory
    }
}
