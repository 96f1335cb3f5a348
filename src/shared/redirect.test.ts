import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sitePath } from './redirect.ts'

const ORIGIN = 'https://reports.example'

describe('sitePath', () => {
  it.each(['/', '/gs-template?p=3', '/gs-template/template?id=7#schedule', '/a/%2F/b', '/資料夾'])(
    'accepts %j',
    path => {
      expect(sitePath(path)).toBe(path)
    },
  )

  it.each([
    '',
    'gs-template',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/a//b',
    'https://evil.example',
    'javascript:alert(1)',
    ' /gs-template',
    '/\u0000/evil.example',
    undefined,
    null,
    7,
    ['/'],
  ])('refuses %j', value => {
    expect(sitePath(value)).toBeNull()
  })

  it('keeps 100,000 hostile values on this site', () => {
    const piece = fc.constantFrom(
      '/', '//', '\\', '\t', '\n', '\r', ' ', '.', '..', '@', ':', '?', '#', '%2f', '%5c', '%09', 'evil.example', 'https:', 'javascript:',
      'data:', '/', '/', '\u0000', '\u2028', '／', '。',
    ) // prettier-ignore
    const hostile = fc
      .array(
        fc.oneof(
          { weight: 4, arbitrary: piece },
          { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
        ),
        { maxLength: 12 },
      )
      .map(pieces => pieces.join(''))
    fc.assert(
      fc.property(
        fc.oneof(
          hostile,
          hostile.map(rest => `/${rest}`),
          fc.webUrl(),
        ),
        value => {
          const path = sitePath(value)
          if (path === null) return
          const url = new URL(path, ORIGIN)
          expect(url.origin).toBe(ORIGIN)
          // What a router would receive: the path alone must not read as another host either.
          expect(new URL(url.pathname + url.search + url.hash, ORIGIN).origin).toBe(ORIGIN)
        },
      ),
      { numRuns: process.env.LONG ? 100_000 : 20_000 },
    )
  })
})
