internal import DiskCache

/// File operations together with the threads they run on.
struct FileAccess: Sendable {
    let operations: any FileOperations
    let threads: IOThreads

    /// The system's files, on the threads that all disk work shares.
    static let system = FileAccess(operations: POSIXFileOperations(), threads: .shared)

    /// Runs operations on one of the threads, without blocking the caller's.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable (any FileOperations) throws(FileFailure) -> Result
    ) async throws(NetworkError) -> Result {
        let operations = operations
        let result = await threads.run { () -> Swift.Result<Result, FileFailure> in
            do throws(FileFailure) {
                return .success(try body(operations))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let value): return value
        case .failure(let failure): throw .file(failure)
        }
    }

    /// Closes a file without waiting for it.
    func close(_ file: OpenFile) {
        let operations = operations
        threads.enqueue { operations.close(file) }
    }
}
