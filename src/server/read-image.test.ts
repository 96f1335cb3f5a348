import { describe, expect, it } from 'vitest'
import { imageTypeOf, MOST_IMAGE_PIXELS } from '#shared/images.ts'
import { randomOf } from '#server/testing/random.ts'
import { readImage } from './read-image.ts'

const FILES = process.env['LONG'] ? 100_000 : 3000

const bytesOf = (text: string) => Uint8Array.from(text, letter => letter.charCodeAt(0))
const PNG = '\u0089PNG\r\n\u001a\n\0\0\0\rIHDR\0\0\0\u0003\0\0\0\u0002\b\u0006\0\0\0'
const GIF = 'GIF89a\u0003\0\u0002\0\0\0\0;'
const JPEG =
  '\u00ff\u00d8\u00ff\u00c0\0\u0011\b\0\u0002\0\u0003\u0003\u0001\u0011\0\u0002\u0011\u0001\u0003\u0011\u0001'
const WEBP = 'RIFF\u0020\0\0\0WEBPVP8X\u000a\0\0\0\0\0\0\0\u0002\0\0\u0001\0\0'
const OTHERS = [
  '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  '<!doctype html><script>alert(1)</script>',
  '%PDF-1.7',
  'BM\u003a\0\0\0\0\0\0\0',
  'II*\0',
  'PK\u0003\u0004',
  'ftypavif',
  '#!/bin/sh',
]

describe('an uploaded image', () => {
  it.each([
    ['image/png', PNG],
    ['image/gif', GIF],
    ['image/webp', WEBP],
  ])('is %s by its content', (type, text) => {
    expect(readImage(bytesOf(text))).toMatchObject({ type, width: 3, height: 2 })
  })

  it(`is accepted only for its actual bytes, and never with more pixels than may be decoded (${FILES} files)`, () => {
    const random = randomOf(20_261_123)
    const below = (limit: number) => Math.floor(random() * limit)
    const pieces = [PNG, GIF, JPEG, WEBP, ...OTHERS].map(bytesOf)
    const faults: unknown[] = []
    let taken = 0
    for (let file = 0; file < FILES; file += 1) {
      const parts = Array.from(
        { length: 1 + below(3) },
        () => pieces[below(pieces.length)] ?? new Uint8Array(),
      )
      const bytes = Uint8Array.from(parts.flatMap(part => [...part]))
      for (let hit = below(6); hit > 0; hit -= 1) bytes[below(bytes.length)] = below(256)
      const read = readImage(bytes)
      if (typeof read === 'string') continue
      taken += 1
      const isTrue =
        read.type === imageTypeOf(bytes) &&
        BEGINNINGS[read.type]?.some(begins => latin1(bytes).startsWith(begins)) === true
      const isSmall = read.width * read.height <= MOST_IMAGE_PIXELS
      if (!isTrue || !isSmall) faults.push({ ...read, bytes: latin1(bytes) })
    }
    expect(taken).toBeGreaterThan(FILES / 50)
    expect(faults.slice(0, 3)).toEqual([])
  })
})

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

/** The first bytes of files of each type, written down a second time. */
const BEGINNINGS: Record<string, readonly string[]> = {
  'image/png': ['\u0089PNG\r\n\u001a\n'],
  'image/gif': ['GIF87a', 'GIF89a'],
  'image/jpeg': ['\u00ff\u00d8\u00ff'],
  'image/webp': ['RIFF'],
}
