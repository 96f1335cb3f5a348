import sharp, { type Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import { imageTypes, type ImageType } from '#shared/images.ts'
import { fitBox, verdictOf } from '#shared/materials/format-verdicts.ts'
import type { ImageFormat } from '#shared/materials/image-formats.ts'
import { readContainer } from './containers/container.ts'
import { openPictures, type Picture } from './pictures.ts'
import {
  animated,
  animatedPng,
  asType,
  drawn,
  longGif,
  plain,
  png,
  pngChunk,
  withChunk,
} from './testing/pictures.ts'

const pictures = openPictures()

async function read(bytes: Uint8Array): Promise<Picture> {
  const picture = await pictures.read(bytes)
  if (typeof picture === 'string') throw new Error(picture)
  return picture
}
const sizeOf = async (bytes: Uint8Array) => {
  const { width, height, format } = await sharp(bytes).metadata()
  return [format, width, height]
}
const pixelsOf = (bytes: Uint8Array) => sharp(bytes, { animated: true }).raw().toBuffer()
/** What a photograph says beside its picture: where, and by what. */
const place = {
  IFD0: { Make: 'Canary Camera', ImageDescription: 'canary text' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '25/1 2/1 3/1',
    GPSLongitudeRef: 'E',
    GPSLongitude: '121/1 30/1 1/1',
  },
}
const xmp = '<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/">canary place</x:xmpmeta>'
const withPlace = (picture: Sharp, orientation = 1) =>
  picture.withExif(place).withXmp(xmp).withMetadata({ orientation })

describe('a photograph', () => {
  it('of 4000×3000 that lies on its side is turned upright, and forgets where it was taken', async () => {
    const source = await withPlace(drawn(4000, 3000), 6).jpeg({ quality: 80 }).toBuffer()
    expect(await sharp(source).metadata()).toMatchObject({ orientation: 6, exif: expect.any(Buffer) })
    const { content, previews, ...facts } = await read(source)
    expect(facts).toEqual({ mime: 'image/jpeg', width: 3000, height: 4000, is_animated: false })
    const found = await sharp(content).metadata()
    expect(found).toMatchObject({ format: 'jpeg', width: 3000, height: 4000 })
    expect([found.exif, found.xmp, found.iptc, found.orientation]).toEqual(Array(4).fill(undefined))
    expect(Buffer.from(content).includes('anary')).toBe(false)
    expect(await sizeOf(previews[320])).toEqual(['webp', 240, 320])
    expect(await sizeOf(previews[1280])).toEqual(['webp', 960, 1280])
    // The left edge, which is dark in red, is now on top.
    const [top = 255] = await sharp(content)
      .extract({ left: 1500, top: 5, width: 1, height: 1 })
      .raw()
      .toBuffer()
    const [bottom = 0] = await sharp(content)
      .extract({ left: 1500, top: 3990, width: 1, height: 1 })
      .raw()
      .toBuffer()
    expect(top).toBeLessThan(30)
    expect(bottom).toBeGreaterThan(220)
  })

  it.each([2, 3, 4, 5, 7, 8])('of orientation %i looks as before', async orientation => {
    const source = await withPlace(drawn(120, 80), orientation).jpeg({ quality: 100 }).toBuffer()
    const { content } = await read(source)
    const upright = await sharp(source).autoOrient().raw().toBuffer()
    const found = await pixelsOf(content)
    expect(found.length).toBe(upright.length)
    const off =
      upright.reduce((sum, value, at) => sum + Math.abs(value - (found[at] ?? 0)), 0) / upright.length
    expect(off).toBeLessThan(6)
  })

  it.each(imageTypes)('without anything beside its picture stays as it is, byte for byte: %s', async type => {
    const source = await asType(drawn(300, 200), type)
    const { content, ...facts } = await read(source)
    expect(facts).toMatchObject({ mime: type, width: 300, height: 200, is_animated: false })
    expect(source.equals(content)).toBe(true)
  })

  it.each(['image/jpeg', 'image/png', 'image/webp'] as const)(
    'loses what is beside its picture and nothing of it: %s',
    async type => {
      const source = await asType(withPlace(drawn(300, 200)), type)
      expect(String((await sharp(source).metadata()).xmp)).toContain('canary place')
      const { content } = await read(source)
      expect(Buffer.from(content).toString('latin1')).not.toMatch(/canary|Exif|xmpmeta/i)
      expect((await pixelsOf(content)).equals(await pixelsOf(source))).toBe(true)
      const { exif, xmp: left } = await sharp(content).metadata()
      expect([exif, left]).toEqual([undefined, undefined])
    },
  )

  it.each(['image/jpeg', 'image/png', 'image/webp'] as const)(
    'keeps its colour profile, upright or turned: %s',
    async type => {
      for (const orientation of [1, 6]) {
        const source = await asType(
          drawn(60, 40).withIccProfile('p3').withExif(place).withMetadata({ orientation, icc: 'p3' }),
          type,
        )
        const { icc } = await sharp(source).metadata()
        expect(icc?.length).toBeGreaterThan(100)
        const { content } = await read(source)
        expect((await sharp(content).metadata()).icc).toEqual(icc)
        // The numbers are still those of that profile, and not of sRGB.
        const means = async (bytes: Uint8Array) =>
          (await sharp(bytes, { ignoreIcc: true }).stats()).channels.map(({ mean }) => mean)
        const [before, after] = [await means(source), await means(content)]
        for (const [at, mean] of before.entries()) expect(Math.abs(mean - (after[at] ?? 0))).toBeLessThan(2)
      }
    },
  )

  it('of 16 bits, of greys, with transparency or in CMYK can be read', async () => {
    for (const source of [
      await drawn(50, 40).toColourspace('rgb16').png().toBuffer(),
      await drawn(50, 40).toColourspace('b-w').png().toBuffer(),
      await drawn(50, 40).toColourspace('b-w').jpeg().toBuffer(),
      await drawn(50, 40, { alpha: true }).png().toBuffer(),
      await drawn(50, 40, { alpha: true }).webp({ lossless: true }).toBuffer(),
      await drawn(50, 40).toColourspace('cmyk').jpeg().toBuffer(),
      await drawn(50, 40).png({ palette: true, progressive: true }).toBuffer(),
      await drawn(50, 40).jpeg({ progressive: true }).toBuffer(),
    ]) {
      const { content, previews } = await read(source)
      expect(source.equals(content)).toBe(true)
      expect(await sizeOf(previews[1280])).toEqual(['webp', 50, 40])
    }
    const { previews } = await read(await drawn(50, 40, { alpha: true }).png().toBuffer())
    expect((await sharp(previews[320]).metadata()).hasAlpha).toBe(true)
  })

  it('of a camera that writes a wrong end of its coefficients, as every browser shows it, can be read', async () => {
    const source = await drawn(300, 200).jpeg().toBuffer()
    const scan = source.indexOf('\xff\xda', 0, 'latin1')
    source[scan + source.readUInt16BE(scan + 2)] = 0
    expect(source.equals((await read(source)).content)).toBe(true)
  })

  it('has previews that are never larger than itself', async () => {
    const sizes = async (width: number, height: number) => {
      const { previews } = await read(await plain(width, height).png().toBuffer())
      return [await sizeOf(previews[320]), await sizeOf(previews[1280])].map(([, ...size]) => size)
    }
    expect(await sizes(100, 50)).toEqual([
      [100, 50],
      [100, 50],
    ])
    expect(await sizes(1000, 10)).toEqual([
      [320, 3],
      [1000, 10],
    ])
    expect(await sizes(1, 3000)).toEqual([
      [1, 320],
      [1, 1280],
    ])
  })
})

describe('an animation', () => {
  it.each(['gif', 'webp'] as const)('stays one, and its previews are its first picture: %s', async type => {
    const source = await animated(type, 5)
    const { content, is_animated, width, height, previews } = await read(source)
    expect({ is_animated, width, height }).toEqual({ is_animated: true, width: 40, height: 40 })
    expect(source.equals(content)).toBe(true)
    expect((await sharp(content, { animated: true }).metadata()).pages).toBe(5)
    expect((await sharp(previews[320], { animated: true }).metadata()).pages ?? 1).toBe(1)
  })

  it('may be a PNG', async () => {
    const source = animatedPng(30, 4)
    const { content, is_animated } = await read(
      withChunk(source, pngChunk('tEXt', Buffer.from('Comment\0canary'))),
    )
    expect(is_animated).toBe(true)
    expect(source.equals(content)).toBe(true)
  })

  it('loses comments and other programs’ data', async () => {
    const source = await animated('gif', 3)
    const [head, rest] = [source.subarray(0, source.indexOf('\x21\xff\x0bNETSCAPE', 0, 'latin1')), source]
    const comment = Buffer.from('\x21\xfe\x06canary\0', 'latin1')
    const program = Buffer.from('\x21\xff\x0bXMP DataXMP\x06canary\0', 'latin1')
    const dirty = Buffer.concat([head, comment, program, rest.subarray(head.length)])
    expect(dirty.length).toBeGreaterThan(source.length)
    expect(source.equals((await read(dirty)).content)).toBe(true)
  })
})

describe('what is no picture', () => {
  it.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['a text', Buffer.from('this is a text called x.png')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a PDF', Buffer.from('%PDF-1.7\n')],
    ['an icon', Buffer.from('\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0', 'latin1')],
    ['a BMP', Buffer.from('BM\x36\0\0\0\0\0\0\0\x36\0\0\0', 'latin1')],
    ['an AVIF', Buffer.from('\0\0\0\x20ftypavif\0\0\0\0avifmif1', 'latin1')],
    ['a TIFF', Buffer.from('II*\0\x08\0\0\0', 'latin1')],
    ['an archive', Buffer.from('PK\x03\x04')],
  ])('is refused: %s', async (_, bytes) => {
    expect(await pictures.read(bytes)).toBe('image_type')
  })

  it.each<[string, Buffer]>([
    ['a page behind the first bytes of a GIF', Buffer.from('GIF89a/*<script>alert(1)</script>*/=1;')],
    [
      'a page behind the first bytes of a PNG',
      Buffer.from('\x89PNG\r\n\x1a\n<script>alert(1)</script>', 'latin1'),
    ],
    [
      'a page behind the first bytes of a JPEG',
      Buffer.from('\xff\xd8\xff<script>alert(1)</script>', 'latin1'),
    ],
    ['a page behind the first bytes of a WebP', Buffer.from('RIFF\xff\xff\0\0WEBPVP8 <script>', 'latin1')],
    ['a PNG without pixels', png(1, 1).subarray(0, 33)],
    ['a PNG of the size 0', png(0, 10)],
    ['a PNG whose pixels are fewer', png(2000, 2000)],
    ['a PNG with an unknown critical chunk', withChunk(png(1, 1), pngChunk('ABCD', Buffer.from('x')))],
    ['a GIF without pictures', longGif(1, 1, 0)],
  ])('is damaged: %s', async (_, bytes) => {
    expect(await pictures.read(bytes)).toBe('image_damaged')
  })
})

describe('a picture with something behind its end', () => {
  it.each(imageTypes)('is stored without it: %s', async type => {
    const source = await asType(drawn(60, 40), type)
    for (const more of [
      '<script>alert(1)</script>',
      'PK\x03\x04 an archive',
      '<?php system($_GET[0]); ?>',
      '\0',
    ]) {
      const { content } = await read(Buffer.concat([source, Buffer.from(more)]))
      expect(source.equals(content)).toBe(true)
    }
  })

  it('or between its chunks is stored without it', async () => {
    const source = png(10, 10)
    const page = Buffer.from('Comment\0<script>alert(1)</script>')
    for (const name of ['tEXt', 'zTXt', 'iTXt', 'eXIf', 'prVt'])
      expect(source.equals((await read(withChunk(source, pngChunk(name, page)))).content)).toBe(true)
  })
})

describe('a picture that would fill the memory', () => {
  it.each<[string, () => Promise<Buffer> | Buffer]>([
    ['50,000 × 50,000 pixels', () => png(50_000, 50_000)],
    ['as large as a number can be', () => png(2 ** 31 - 1, 2 ** 31 - 1)],
    ['51 megapixels', () => plain(8500, 6000).png().toBuffer()],
    ['51 megapixels as a JPEG', () => plain(8500, 6000).jpeg().toBuffer()],
    ['10,000 pictures', () => longGif(100, 100, 10_000)],
    [
      'a GIF whose picture is larger than all',
      () => {
        const bytes = longGif(1, 1, 1)
        bytes.writeUInt16LE(60_000, 19 + 5)
        bytes.writeUInt16LE(60_000, 19 + 7)
        return bytes
      },
    ],
    ['an animated PNG', () => animatedPng(1000, 51)],
    [
      'a WebP',
      async () => {
        const bytes = await animated('webp', 2)
        bytes.writeUIntLE(16_382, 24, 3)
        bytes.writeUIntLE(16_382, 27, 3)
        return bytes
      },
    ],
  ])('is refused before it is decoded: %s', async (_, make) => {
    expect(await pictures.read(await make())).toBe('image_too_large')
  })

  it('has one pixel more than one that does not', async () => {
    expect(await pictures.read(await plain(10_000, 5000).png().toBuffer())).toMatchObject({ width: 10_000 })
    expect(await pictures.read(await plain(10_001, 5000).png().toBuffer())).toBe('image_too_large')
  })
})

/** A made-up sequence of numbers below 1 that is the same each time. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
const samples = async () =>
  await Promise.all([
    ...imageTypes.map(type => asType(drawn(90, 70), type)),
    drawn(90, 70).jpeg({ progressive: true }).toBuffer(),
    drawn(90, 70, { alpha: true }).webp({ lossless: true }).toBuffer(),
    animated('gif', 3),
    animated('webp', 3),
    Promise.resolve(animatedPng(20, 3)),
    withPlace(drawn(90, 70), 6).jpeg().toBuffer(),
  ])

describe('hostile pictures', () => {
  it('of more scans than any program writes, or of a scan before its frame, are damaged', async () => {
    const source = await drawn(90, 70).jpeg().toBuffer()
    const [frame, scan] = ['\xff\xc0', '\xff\xda'].map(mark => source.indexOf(mark, 0, 'latin1'))
    const [end, first] = [source.subarray(-2), source.subarray(scan, -2)]
    const ofScans = (count: number) =>
      readContainer(
        Buffer.concat([source.subarray(0, scan), ...Array<Buffer>(count).fill(first), end]),
        'image/jpeg',
      )
    expect(ofScans(100)).toMatchObject({ width: 90, height: 70 })
    expect(ofScans(101)).toBeNull()
    expect(
      readContainer(Buffer.concat([source.subarray(0, frame), source.subarray(scan)]), 'image/jpeg'),
    ).toBeNull()
  })

  it('that break off anywhere are damaged', async () => {
    const roll = dice(1)
    for (const bytes of await samples())
      for (const end of [
        12,
        20,
        40,
        bytes.length - 3,
        bytes.length - 1,
        ...Array.from({ length: 25 }, () => 12 + Math.floor(roll() * (bytes.length - 12))),
      ])
        expect([end, bytes.length, await pictures.read(bytes.subarray(0, end))]).toEqual([
          end,
          bytes.length,
          'image_damaged',
        ])
  })

  it('with changed bytes are refused, or are pictures of the type that they are stored under', async () => {
    const roll = dice(2)
    const counts: Record<string, number> = {}
    for (const bytes of await samples())
      for (let n = 0; n < 60; n++) {
        const changed = Buffer.from(bytes)
        for (let times = 1 + Math.floor(roll() * 4); times > 0; times--)
          changed[Math.floor(roll() * changed.length)] = Math.floor(roll() * 256)
        const picture = await pictures.read(changed)
        const outcome = typeof picture === 'string' ? picture : 'read'
        counts[outcome] = (counts[outcome] ?? 0) + 1
        if (typeof picture === 'string') continue
        expect(`image/${(await sizeOf(picture.content))[0]}`).toBe(picture.mime)
        // What is stored is stored the same again.
        expect(await pictures.read(picture.content)).toMatchObject({ content: picture.content })
      }
    expect(Object.keys(counts)).toEqual(expect.arrayContaining(['read', 'image_damaged']))
  })

  it('of random bytes behind each signature are refused', async () => {
    const roll = dice(3)
    const heads = [
      '\x89PNG\r\n\x1a\n\0\0\0\rIHDR',
      '\xff\xd8\xff\xe0\0\x10JFIF\0',
      'GIF89a',
      'RIFF\x80\0\0\0WEBPVP8X\x0a\0\0\0',
      '',
    ]
    for (const head of heads)
      for (let n = 0; n < 100; n++) {
        const noise = Uint8Array.from({ length: Math.floor(roll() * 400) }, () => Math.floor(roll() * 256))
        expect(await pictures.read(Buffer.concat([Buffer.from(head, 'latin1'), noise]))).toMatch(/^image_/)
      }
  })
})

describe('a part of a picture', () => {
  const cut = async (source: Buffer, format: ImageFormat, types: readonly ImageType[] = imageTypes) => {
    const picture = await read(source)
    const box = fitBox(picture, format)
    if (!box) throw new Error('image_too_small')
    const made = await pictures.cut(picture, { box, types })
    if (typeof made === 'string') throw new Error(made)
    return made
  }

  it('is cut from the middle, and made smaller where the format is exact', async () => {
    const made = await cut(await drawn(3000, 2000).jpeg().toBuffer(), 'line_card')
    expect(made).toMatchObject({ mime: 'image/jpeg', width: 1200, height: 628 })
    expect(verdictOf({ ...made, size: made.content.length }, 'line_card').met).toBe(true)
    const square = await cut(await drawn(900, 400).png().toBuffer(), 'google_square')
    expect(square).toMatchObject({ mime: 'image/png', width: 400, height: 400 })
    const source = await drawn(900, 400)
      .extract({ left: 250, top: 0, width: 400, height: 400 })
      .raw()
      .toBuffer()
    expect((await pixelsOf(square.content)).equals(source)).toBe(true)
  })

  it('is of a type that the format takes', async () => {
    const types = ['image/jpeg', 'image/png'] as const
    expect(await cut(await drawn(700, 500).webp().toBuffer(), 'line_small', types)).toMatchObject({
      mime: 'image/jpeg',
    })
    expect(
      await cut(await drawn(700, 500, { alpha: true }).webp().toBuffer(), 'line_small', types),
    ).toMatchObject({ mime: 'image/png' })
    expect(await cut(await animated('gif', 3, 700), 'line_small', types)).toMatchObject({
      mime: 'image/png',
      is_animated: false,
      width: 600,
      height: 400,
    })
  })

  it('of an animation is an animation', async () => {
    const made = await cut(await animated('gif', 3, 400), 'google_landscape').catch(error => error)
    expect(made).toEqual(new Error('image_too_small'))
    expect(await cut(await animated('gif', 3, 700), 'google_landscape')).toMatchObject({
      mime: 'image/gif',
      is_animated: true,
      width: 700,
      height: 366,
    })
  })
})
