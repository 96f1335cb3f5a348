import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import type { ImageType } from '#shared/images.ts'

/** A picture in which every part looks different, so that a wrong turn shows. */
export function drawn(width: number, height: number, { alpha = false } = {}): Sharp {
  const channels = alpha ? 4 : 3
  const data = Buffer.alloc(width * height * channels)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += channels) {
      data[at] = (x * 255) / width
      data[at + 1] = (y * 255) / height
      data[at + 2] = (x ^ y) & 255
      if (alpha) data[at + 3] = 255 - (x % 128)
    }
  return sharp(data, { raw: { width, height, channels } })
}

export const asType = async (picture: Sharp, type: ImageType): Promise<Buffer> =>
  await picture
    .toFormat(
      type === 'image/jpeg' ? 'jpeg' : type === 'image/gif' ? 'gif' : type === 'image/png' ? 'png' : 'webp',
    )
    .toBuffer()

/** The same in bytes, drawn with one colour so that a large one is quick. */
export const plain = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background: '#2a6' } })

/** Each frame of another colour. */
export async function animated(type: 'gif' | 'webp', frames: number, side = 40): Promise<Buffer> {
  const pages = await Promise.all(
    Array.from({ length: frames }, (_, n) =>
      sharp({
        create: { width: side, height: side, channels: 3, background: { r: (n * 50) % 256, g: 99, b: 7 } },
      })
        .raw()
        .toBuffer(),
    ),
  )
  return await sharp(Buffer.concat(pages), {
    raw: { width: side, height: side * frames, channels: 3, pageHeight: side },
  })
    .toFormat(type, { delay: 100, loop: 0 })
    .toBuffer()
}

export function pngChunk(name: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** A grey PNG whose header says this size, whatever its pixels are. */
export function png(width: number, height: number, chunks: readonly Buffer[] = []): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head[8] = 8
  const rows = Buffer.alloc(Math.min(height, 100) * (Math.min(width, 100) + 1))
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', head),
    ...chunks,
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** The chunks of a PNG after its header, such as a text. */
export function withChunk(bytes: Buffer, chunk: Buffer): Buffer {
  const afterHeader = PNG_SIGNATURE.length + 25
  return Buffer.concat([bytes.subarray(0, afterHeader), chunk, bytes.subarray(afterHeader)])
}

/** An animated PNG of so many frames, the first of which is its picture. */
export function animatedPng(side: number, frames: number): Buffer {
  const control = (sequence: number) => {
    const data = Buffer.alloc(26)
    data.writeUInt32BE(sequence)
    data.writeUInt32BE(side, 4)
    data.writeUInt32BE(side, 8)
    data.writeUInt16BE(1, 20)
    data.writeUInt16BE(10, 22)
    return pngChunk('fcTL', data)
  }
  const count = Buffer.alloc(8)
  count.writeUInt32BE(frames)
  const first = png(side, side, [pngChunk('acTL', count), control(0)])
  const rest = Array.from({ length: frames - 1 }, (_, n) => {
    const sequence = Buffer.alloc(4)
    sequence.writeUInt32BE(2 * n + 2)
    return [
      control(2 * n + 1),
      pngChunk('fdAT', Buffer.concat([sequence, deflateSync(Buffer.alloc(side * (side + 1), n))])),
    ]
  })
  return Buffer.concat([first.subarray(0, -12), ...rest.flat(), pngChunk('IEND', Buffer.alloc(0))])
}

/** A GIF of so many pictures, each of which is a few bytes. */
export function longGif(width: number, height: number, frames: number): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1')
  head.writeUInt16LE(width, 6)
  head.writeUInt16LE(height, 8)
  const frame = Buffer.from('\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0', 'latin1')
  return Buffer.concat([head, ...Array.from({ length: frames }, () => frame), Buffer.from(';')])
}
