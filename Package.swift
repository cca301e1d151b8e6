// swift-tools-version: 6.2
import PackageDescription

// Warnings become errors in `.ci/run`, not here: in the manifest they would break whoever depends on us by path.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// Apple platforms have URLSession, and no libcurl that a package could count on.
let curlPlatforms: [Platform] = [.linux]
let applePlatforms: [Platform] = [.macOS, .iOS, .tvOS, .watchOS, .visionOS, .macCatalyst]

let package = Package(
    name: "APILayer",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "APILayer", targets: ["APILayer"]),
        .library(name: "APITesting", targets: ["APITesting"]),
        .library(name: "TerminalProgress", targets: ["TerminalProgress"]),
        .library(name: "CurlTransport", targets: ["CurlTransport"]),
        .library(name: "URLSessionTransport", targets: ["URLSessionTransport"]),
        .library(name: "ImagePipeline", targets: ["ImagePipeline"]),
    ],
    targets: [
        // Ground floor: no HTTP in them.
        .target(name: "CSystem"),
        .target(name: "JSONCoding", swiftSettings: strict),
        .target(name: "DiskCache", swiftSettings: strict),

        // Everything declarative.
        .target(
            name: "APICore", dependencies: ["JSONCoding", "DiskCache", "CSystem"], swiftSettings: strict),

        // The outside world.
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .target(name: "CurlTransport", dependencies: ["APICore", "CCurl", "CSystem"], swiftSettings: strict),
        .target(name: "URLSessionTransport", dependencies: ["APICore"], swiftSettings: strict),

        // What command-line tools show while they wait.
        .target(name: "TerminalProgress", dependencies: ["APICore", "CSystem"], swiftSettings: strict),

        // What users import.
        .target(
            name: "APILayer",
            dependencies: [
                "APICore", "JSONCoding",
                .target(name: "CurlTransport", condition: .when(platforms: curlPlatforms)),
                .target(name: "URLSessionTransport", condition: .when(platforms: applePlatforms)),
            ],
            swiftSettings: strict),
        .target(name: "APITesting", dependencies: ["APICore", "CSystem"], swiftSettings: strict),

        // Images.
        .target(
            name: "CImageCodecs",
            linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("png16"), .linkedLibrary("z")]),
        .target(
            name: "ImagePipeline", dependencies: ["APICore", "DiskCache", "CImageCodecs"], swiftSettings: strict),

        // Executables.
        .executableTarget(
            name: "thumbnail", dependencies: ["ImagePipeline", "TerminalProgress"], swiftSettings: strict),
        .executableTarget(
            name: "quickstart",
            dependencies: ["APILayer", "APITesting", "TerminalProgress", "DiskCache", "ImagePipeline"],
            swiftSettings: strict),
        .target(name: "CBenchBaseline", dependencies: ["CCurl"]),
        .executableTarget(
            name: "bench",
            dependencies: [
                "JSONCoding", "DiskCache", "APICore", "APITesting", "CurlTransport", "CBenchBaseline", "ImagePipeline",
            ],
            swiftSettings: strict),

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
        .testTarget(
            name: "TransportTests",
            dependencies: ["APICore", "CurlTransport", "URLSessionTransport", "CSystem"],
            swiftSettings: strict),
        .executableTarget(
            name: "DownloadWorker", dependencies: ["APICore", "CurlTransport"], path: "Tests/DownloadWorker",
            swiftSettings: strict),
        .testTarget(
            name: "StreamsTests",
            dependencies: [
                "APICore", "APITesting", "CurlTransport", "DiskCache", "TerminalProgress", "DownloadWorker",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ImagePipelineTests", dependencies: ["ImagePipeline", "CImageCodecs"], exclude: ["judge.py"],
            swiftSettings: strict),
        .testTarget(
            name: "APILayerTests", dependencies: ["APILayer", "APITesting"], swiftSettings: strict),
    ]
)
