import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openTypefaces } from './typefaces.ts'

const file = (name: string) => readFileSync(join(import.meta.dirname, 'fonts', name))

/** 400Regular of @expo-google-fonts/noto-sans-tc and -jp 0.4.3, unchanged. */
it.each([
  ['NotoSansTC-Regular.ttf', 'add35d53f70727657b4509531677c4e3712b67df3d54661efdee5d3a0c16d954'],
  ['NotoSansJP-Regular.ttf', 'd930d5d52d15231c283089760f84584272ad5e37e14607ba0d19c798e7a9caec'],
])('%s is the published font, with its licence beside it', (name, sha256) => {
  expect(createHash('sha256').update(file(name)).digest('hex')).toBe(sha256)
  expect(file('OFL.txt').toString()).toContain('SIL Open Font License, Version 1.1')
})

it('takes Noto Sans TC where it has a character, else Noto Sans JP, else the box', () => {
  const { letter } = openTypefaces()
  const typefaceOf = (text: string) => [...text].map(character => letter(character).typeface)
  expect(typefaceOf('株式会社A1，')).toEqual(['tc', 'tc', 'tc', 'tc', 'tc', 'tc', 'tc'])
  expect(typefaceOf('検図済')).toEqual(['jp', 'jp', 'jp'])
  expect(typefaceOf('😀שع\u{10fffe}')).toEqual(['box', 'box', 'box', 'box'])
})

it('gives all digits one width, so that amounts stand below each other', () => {
  const { letter } = openTypefaces()
  expect(new Set([...'0123456789'].map(digit => letter(digit).width)).size).toBe(1)
})

it('moves Latin letters together, and digits never', () => {
  const { letter, kerning } = openTypefaces()
  expect(kerning(letter('A'), letter('V'))).toBeLessThan(0)
  expect(kerning(letter('1'), letter('1'))).toBe(0)
  expect(kerning(letter('臺'), letter('北'))).toBe(0)
})
