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
        .library(name: "CurlTransport", targets: ["CurlTransport"]),
    ],
    targets: [
        // Ground floor: no HTTP in them.
        .target(name: "CSystem"),

        // Everything declarative.
        .target(name: "APICore", dependencies: ["CSystem"], swiftSettings: strict),

        // What users import.
        .target(name: "APILayer", dependencies: ["APICore"], swiftSettings: strict),

        .testTarget(name: "APICoreTests", dependencies: ["APICore"], swiftSettings: strict),

        // The transport over libcurl.
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .target(name: "CurlTransport", dependencies: ["APICore", "CCurl", "CSystem"], swiftSettings: strict),
        .testTarget(name: "TransportTests", dependencies: ["APICore", "CurlTransport", "CSystem"], swiftSettings: strict),

        // Measures what the package does beside what else there is.
        .target(name: "CBenchBaseline", dependencies: ["CCurl"]),
        .executableTarget(
            name: "bench", dependencies: ["APICore", "CBenchBaseline", "CurlTransport"], swiftSettings: strict),
    ]
)
