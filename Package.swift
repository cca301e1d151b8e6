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
        .library(name: "ImagePipeline", targets: ["ImagePipeline"]),
    ],
    targets: [
        // Ground floor: no HTTP in them.
        .target(name: "CSystem"),

        // Everything declarative.
        .target(name: "APICore", dependencies: ["CSystem"], swiftSettings: strict),

        // What users import.
        .target(name: "APILayer", dependencies: ["APICore"], swiftSettings: strict),

        // Images.
        .target(
            name: "CImageCodecs",
            linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("png16"), .linkedLibrary("z")]),
        .target(name: "ImagePipeline", dependencies: ["CImageCodecs"], swiftSettings: strict),
        .executableTarget(name: "thumbnail", dependencies: ["ImagePipeline"], swiftSettings: strict),
        .testTarget(
            name: "ImagePipelineTests", dependencies: ["ImagePipeline", "CImageCodecs"],
            exclude: ["judge.py"], swiftSettings: strict),

        // Measurement.
        .executableTarget(name: "bench", dependencies: ["ImagePipeline"], swiftSettings: strict),
    ]
)
