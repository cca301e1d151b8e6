// swift-tools-version: 6.2
import PackageDescription

// Warnings become errors in `.ci/run`, not here: in the manifest they would break whoever depends on us by path.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "APILayer",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "APILayer", targets: ["APILayer"])
    ],
    targets: [
        // Ground floor: no HTTP in them.
        .target(name: "CSystem"),

        // DiskCache: crash-safe bytes by key.
        .target(name: "DiskCache", swiftSettings: strict),
        .executableTarget(
            name: "DiskCacheCrashWriter", dependencies: ["DiskCache"], path: "Tests/DiskCacheCrashWriter",
            swiftSettings: strict),
        .testTarget(
            name: "DiskCacheTests", dependencies: ["DiskCache", "DiskCacheCrashWriter"], swiftSettings: strict),

        // Everything declarative.
        .target(name: "APICore", dependencies: ["CSystem", "DiskCache"], swiftSettings: strict),

        // What users import.
        .target(name: "APILayer", dependencies: ["APICore"], swiftSettings: strict),

        .testTarget(name: "APICoreTests", dependencies: ["APICore", "DiskCache"], swiftSettings: strict),
    ]
)
