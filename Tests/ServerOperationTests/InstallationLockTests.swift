import PrivateFiles
import ServerOperation
import TestSupport
import Testing

@Suite struct `The lock of an installation` {
    private let folder: TemporaryFolder
    private let file: LockFile

    init() throws {
        folder = try TemporaryFolder()
        file = LockFile(path: folder.path + "/lock", isCreated: true)
    }

    @Test func `is shared by any number of processes, and held alone by one`() throws {
        let first = try #require(try InstallationLock(sharing: file))
        let second = try #require(try InstallationLock(sharing: file))
        #expect(try InstallationLock(aloneWith: file) == nil)
        withExtendedLifetime((first, second)) {}
    }

    @Test func `is free after its holder ends`() throws {
        var alone = try InstallationLock(aloneWith: file)
        #expect(alone != nil)
        #expect(try InstallationLock(sharing: file) == nil)
        #expect(try InstallationLock(aloneWith: file) == nil)
        alone = nil
        #expect(try InstallationLock(sharing: file) != nil)
    }

    @Test func `of a missing file that is not created fails`() throws {
        let missing = LockFile(path: folder.path + "/missing", isCreated: false)
        #expect(throws: FileFailure.missing) { _ = try InstallationLock(sharing: missing) }
    }
}
