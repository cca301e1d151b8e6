#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Thumbnailer {
    /// Makes a thumbnail on a scheduler's threads, when its turn comes.
    ///
    /// ```swift
    /// let thumbnail = try await thumbnailer.makeThumbnail(of: data, recipe: recipe, scheduler: .shared)
    /// ```
    ///
    /// A cancelled task throws ``ImageError/cancelled`` and stops the work at the next block of rows.
    public func makeThumbnail(
        of data: Data, recipe: ThumbnailRecipe, scheduler: DecodeScheduler, priority: DecodePriority = .normal
    ) async throws(ImageError) -> Thumbnail {
        let estimate = try estimatedBytes(for: data, recipe: recipe)
        return try await scheduler.run(bytes: estimate, priority: priority) { (isCancelled) throws(ImageError) in
            try makeThumbnail(of: data, recipe: recipe, isCancelled: isCancelled)
        }
    }

    /// About how many bytes making a thumbnail takes, from the file's first bytes.
    public func estimatedBytes(
        for bytes: some ContiguousBytes, recipe: ThumbnailRecipe
    ) throws(ImageError) -> Int {
        try recipe.validate()
        return try withImageBytes(bytes) { (buffer) throws(ImageError) in
            let probe = try ImageHeader(buffer, limits: limits).probe
            try limits.check(source: probe.storedSize, decodeBytes: probe.estimatedDecodeBytes)
            let plan = DecodePlan(probe, recipe)
            try limits.check(.outputPixels, plan.layout.canvas.pixelCount)
            return plan.estimatedBytes(probe, filter: recipe.filter)
        }
    }
}
