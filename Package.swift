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
        .library(name: "APILayer", targets: ["APILayer"]),
        .library(name: "APITesting", targets: ["APITesting"]),
    ],
    targets: [
        // Ground floor: no HTTP in them.
        .target(name: "CSystem"),
        .target(name: "JSONCoding", swiftSettings: strict),
        .target(name: "DiskCache", swiftSettings: strict),

        // Everything declarative.
        .target(
            name: "APICore", dependencies: ["JSONCoding", "DiskCache", "CSystem"], swiftSettings: strict),

        // What users import.
        .target(name: "APILayer", dependencies: ["APICore", "JSONCoding"], swiftSettings: strict),
        .target(name: "APITesting", dependencies: ["APICore", "CSystem"], swiftSettings: strict),

        // Executables.
        .executableTarget(
            name: "bench", dependencies: ["JSONCoding", "DiskCache", "APICore"], swiftSettings: strict),

        // Tests.
        .testTarget(name: "JSONCodingTests", dependencies: ["JSONCoding"], swiftSettings: strict),
        .executableTarget(
            name: "DiskCacheCrashWriter", dependencies: ["DiskCache"], path: "Tests/DiskCacheCrashWriter",
            swiftSettings: strict),
        .testTarget(
            name: "DiskCacheTests", dependencies: ["DiskCache", "DiskCacheCrashWriter"], swiftSettings: strict),
        .testTarget(
            name: "APICoreTests", dependencies: ["APICore", "APITesting", "DiskCache", "JSONCoding"],
            swiftSettings: strict),
        .testTarget(
            name: "APITestingTests", dependencies: ["APITesting", "APICore"], swiftSettings: strict),
    ]
)
