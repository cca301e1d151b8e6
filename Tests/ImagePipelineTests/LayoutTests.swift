import Testing

@testable import ImagePipeline

@Suite struct LayoutTests {
    private func layout(
        _ w: Int, _ h: Int, _ box: String, _ mode: ResizeMode, focus: FocalPoint = .center, enlarge: Bool = false
    ) throws -> ThumbnailLayout {
        ThumbnailLayout(
            image: PixelSize(width: w, height: h), box: try #require(BoundingBox(box)), mode: mode, focus: focus,
            allowsEnlarging: enlarge)
    }

    @Test(arguments: [
        (2725, 2225, "720x588", "720x588"), (2725, 2225, "720", "720x588"), (2725, 2225, "x588", "720x588"),
        (100, 50, "200x200", "100x50"), (10000, 1, "100x100", "100x1"), (1, 10000, "100x100", "1x100"),
        (3, 2, "2x2", "2x1"), (4000, 3000, "400x400", "400x300"),
    ])
    func fit(width: Int, height: Int, box: String, expected: String) throws {
        let layout = try layout(width, height, box, .fit)
        #expect("\(layout.canvas)" == expected)
        #expect(layout.content == layout.canvas)
    }

    @Test func enlargingOnlyWhenAsked() throws {
        #expect("\(try layout(100, 50, "200x200", .fit, enlarge: true).canvas)" == "200x100")
        #expect("\(try layout(100, 50, "200x200", .fill).canvas)" == "50x50")
        #expect("\(try layout(100, 50, "200x200", .fill, enlarge: true).canvas)" == "200x200")
        #expect("\(try layout(100, 50, "200x20", .stretch).canvas)" == "100x20")
        let pad = try layout(100, 50, "200x200", .pad)
        #expect("\(pad.canvas) \(pad.content) \(pad.origin)" == "200x200 100x50 (x: 50, y: 75)")
    }

    @Test func fillCropsAroundTheFocus() throws {
        #expect(
            try layout(400, 200, "100x100", .fill).source == PixelRegion(x: 100, y: 0, width: 200, height: 200))
        #expect(
            try layout(400, 200, "100x100", .fill, focus: .right).source
                == PixelRegion(x: 200, y: 0, width: 200, height: 200))
        #expect(
            try layout(400, 200, "100x100", .fill, focus: FocalPoint(x: 0.3, y: 0.9)).source
                == PixelRegion(x: 20, y: 0, width: 200, height: 200))
        #expect(
            try layout(200, 400, "100x50", .fill, focus: .bottom).source
                == PixelRegion(x: 0, y: 300, width: 200, height: 100))
    }

    @Test func boxesAreReadFromText() {
        #expect(BoundingBox("720x540") == BoundingBox(width: 720, height: 540))
        #expect(BoundingBox("720") == BoundingBox(width: 720))
        #expect(BoundingBox("x540") == BoundingBox(height: 540))
        for bad in ["", "x", "0x5", "-1x5", "1x2x3", "ax5", "5 x5", "99999999999999999999x1", "+5x5"] {
            #expect(BoundingBox(bad) == nil)
        }
    }

    @Test func reductionKeepsItsRules() {
        let cases: [(Double, Int, Int)] = [
            (1, 8, 8), (2.9, 8, 8), (3, 8, 4), (3.99, 8, 4), (4, 4, 4), (7.9, 4, 4), (8, 4, 2), (15.9, 4, 2),
            (16, 2, 2),
        ]
        for (shrink, balanced, fast) in cases {
            #expect(DecodePlan.eighths(shrink: shrink, effort: .balanced) == balanced)
            #expect(DecodePlan.eighths(shrink: shrink, effort: .fast) == fast)
        }
    }

    @Test func paddingIsPlacedAndColored() throws {
        var recipe = ThumbnailRecipe(box: BoundingBox(width: 10, height: 10), mode: .pad)
        recipe.background = RGBAColor(red: 1, green: 2, blue: 3)
        recipe.focus = .top
        let result = try Thumbnailer().makeBitmap(of: TestImages.rgb(20, 10) { _, _ in (200, 100, 50) }, recipe: recipe)
        #expect(result.size == PixelSize(width: 10, height: 10))
        #expect(result[0, 0].elementsEqual([200, 100, 50]) && result[9, 4].elementsEqual([200, 100, 50]))
        #expect(result[0, 5].elementsEqual([1, 2, 3]) && result[9, 9].elementsEqual([1, 2, 3]))
    }

    @Test func badRecipesAreRefused() {
        let image = TestImages.gray(4, 4) { _, _ in 0 }
        for box in [BoundingBox(width: 0, height: 5), BoundingBox(width: -3), BoundingBox(width: 5, height: 2_000_000)]
        {
            #expect(throws: ImageError.self) {
                try Thumbnailer().makeBitmap(of: image, recipe: ThumbnailRecipe(box: box))
            }
        }
        var recipe = ThumbnailRecipe(fitting: 5, 5)
        recipe.jpeg.quality = 0
        #expect(throws: ImageError.invalidRecipe(reason: "quality 0 is not within 1 to 100")) {
            try Thumbnailer().makeBitmap(of: image, recipe: recipe)
        }
    }
}
