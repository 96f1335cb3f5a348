import { deflateSync } from 'node:zlib'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { isLogo } from './logo.ts'
import { renderDocument } from './render-document.ts'
import { quotationDocument } from './quotation-document.ts'
import { readPdf } from './testing/pdf-reader.ts'
import { JPEG, png, quotation } from './testing/samples.ts'
import { openTypefaces } from './typefaces.ts'

const typefaces = openTypefaces()
const printed = async (logo: Uint8Array) => {
  const input = quotation()
  const document = quotationDocument({ ...input, issuer: { ...input.issuer, logo } })
  return await renderDocument(document, typefaces)
}
const imagesWith = async (logo: Uint8Array) => readPdf((await printed(logo)).bytes).images

it.each([
  ['with transparency', png(60, 20, 6), 2],
  ['in colours', png(60, 20, 2), 1],
  ['in grey', png(60, 20, 0), 1],
])('prints a PNG %s', async (_, logo, images) => {
  expect(await imagesWith(logo)).toBe(images)
})

it('prints a JPEG', async () => {
  expect(await imagesWith(JPEG)).toBe(1)
})

it('prints the document without a logo that is none', async () => {
  for (const logo of [
    Buffer.from('no picture'),
    Buffer.alloc(0),
    Buffer.from('GIF89a…'),
    png(60, 20, 6).subarray(0, 60),
  ])
    expect(await imagesWith(logo)).toBe(0)
})

it('refuses a PNG that promises more than it has, and one that would fill the memory', () => {
  expect(isLogo(png(60, 20, 6, { data: deflateSync(Buffer.alloc(100)) }))).toBe(false)
  expect(isLogo(png(60, 20, 6, { data: deflateSync(Buffer.alloc(50_000_000)) }))).toBe(false)
  expect(isLogo(png(60, 20, 6, { data: Buffer.from('not deflated') }))).toBe(false)
  expect(isLogo(png(60_000, 60_000, 6, { data: Buffer.alloc(0) }))).toBe(false)
})

it('prints whatever is made of a good picture by changing its bytes', async () => {
  const changes = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), {
    minLength: 1,
    maxLength: 4,
  })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(png(9, 7, 6), png(9, 7, 2), JPEG), changes, async (good, changed) => {
      const bytes = Buffer.from(good)
      for (const [at, value] of changed) bytes[at % bytes.length] = value
      expect((await printed(bytes)).pages).toBe(1)
    }),
    { numRuns: 60 },
  )
})
