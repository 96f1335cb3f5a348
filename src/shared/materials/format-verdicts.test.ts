import { describe, expect, it } from 'vitest'
import { fitBox, formatRules, formatsMet, nearestMiss, verdictOf } from './format-verdicts.ts'
import { imageFormats, type ImageFacts } from './image-formats.ts'

const image = (width: number, height: number, facts: Partial<ImageFacts> = {}): ImageFacts => ({
  width,
  height,
  size: 100_000,
  mime: 'image/png',
  ...facts,
})

/** Without those that are advice. */
const documented = (facts: ImageFacts) => formatsMet(facts).filter(format => !formatRules[format].is_advice)

describe('the formats of an image', () => {
  it('are Google landscape and LINE card for 1200×628', () => {
    expect(documented(image(1200, 628))).toEqual(['google_landscape', 'line_card'])
    expect(formatsMet(image(1200, 628))).toContain('ly')
  })

  it('are Google landscape alone for 600×314, and nothing a pixel below', () => {
    expect(formatsMet(image(600, 314))).toEqual(['google_landscape'])
    expect(formatsMet(image(599, 314))).toEqual([])
    expect(formatsMet(image(600, 313))).toEqual([])
  })

  it('are Google landscape for 1200×627, 0.2 % too wide, and LINE card misses one pixel', () => {
    expect(documented(image(1200, 627))).toEqual(['google_landscape'])
    expect(verdictOf(image(1200, 627), 'google_landscape').ratio_off).toBeCloseTo(0.002, 3)
    const misses = [{ kind: 'height', by: 1, required: 628, is_exact: true }]
    expect(verdictOf(image(1200, 627), 'line_card')).toMatchObject({ met: false, misses })
    expect(nearestMiss(image(1200, 627))).toMatchObject({ format: 'line_card', misses })
  })

  it('are both squares for 1080×1080, and the square logo that any square is', () => {
    expect(documented(image(1080, 1080))).toEqual(['google_square', 'google_logo_square', 'line_square'])
    expect(formatsMet(image(1080, 1080))).toContain('meta_square')
  })

  it('keep to one per cent of a ratio', () => {
    expect(verdictOf(image(1010, 1000), 'google_square').met).toBe(true)
    expect(verdictOf(image(1011, 1000), 'google_square').misses).toEqual([
      { kind: 'ratio', by: expect.closeTo(0.011), required: 1 },
    ])
    expect(verdictOf(image(990, 1000), 'google_square').met).toBe(true)
    expect(verdictOf(image(989, 1000), 'google_square').met).toBe(false)
  })

  it('say every miss, more pixels than an exact size too', () => {
    expect(verdictOf(image(1201, 600), 'line_card').misses).toEqual([
      { kind: 'width', by: -1, required: 1200, is_exact: true },
      { kind: 'height', by: 28, required: 628, is_exact: true },
    ])
    expect(verdictOf(image(500, 100), 'google_logo_wide').misses.map(({ kind }) => kind)).toEqual([
      'width',
      'height',
      'ratio',
    ])
  })

  it('ask LINE for jpeg or png, and Google for 5,120 KB at most', () => {
    const webp = image(1200, 628, { mime: 'image/webp' })
    const allowed = ['image/jpeg', 'image/png']
    expect(nearestMiss(webp)).toMatchObject({ format: 'line_card', misses: [{ kind: 'type', allowed }] })
    expect(verdictOf(image(1200, 628, { size: 5_242_880 }), 'google_landscape').met).toBe(true)
    expect(verdictOf(image(1200, 628, { size: 5_242_881 }), 'google_landscape').misses).toEqual([
      { kind: 'size', by: 1, most: 5_242_880 },
    ])
  })
})

describe('making an image fit', () => {
  it('cuts the largest part from the middle', () => {
    expect(fitBox({ width: 4000, height: 3000 }, 'google_square')).toEqual({
      left: 500,
      top: 0,
      width: 3000,
      height: 3000,
      to: { width: 3000, height: 3000 },
    })
    expect(fitBox({ width: 1200, height: 900 }, 'google_landscape')).toMatchObject({
      width: 1200,
      height: 628,
    })
  })

  it('makes an exact size smaller, never larger', () => {
    const to = { width: 1200, height: 628 }
    expect(fitBox({ width: 2400, height: 2000 }, 'line_card')).toMatchObject({
      width: 2400,
      height: 1256,
      to,
    })
    expect(fitBox({ width: 1200, height: 627 }, 'line_card')).toBeNull()
    expect(fitBox({ width: 1199, height: 5000 }, 'line_card')).toBeNull()
    expect(fitBox({ width: 599, height: 5000 }, 'google_landscape')).toBeNull()
  })

  it('leaves whole what is already right', () => {
    expect(fitBox({ width: 1200, height: 627 }, 'google_landscape')).toMatchObject({
      width: 1200,
      height: 627,
    })
  })

  it('gives what meets the format, for every size', () => {
    let boxes = 0
    for (const format of imageFormats)
      for (let width = 97; width < 4000; width += 61)
        for (let height = 89; height < 4000; height += 97) {
          const box = fitBox({ width, height }, format)
          const isLargeEnough = width >= formatRules[format].width && height >= formatRules[format].height
          expect(box !== null).toBe(isLargeEnough)
          if (!box) continue
          boxes++
          expect(verdictOf(image(box.to.width, box.to.height), format).met).toBe(true)
          expect(box.left + box.width <= width && box.top + box.height <= height).toBe(true)
          expect(box.to.width <= box.width && box.to.height <= box.height).toBe(true)
        }
    expect(boxes).toBeGreaterThan(10_000)
  })
})
