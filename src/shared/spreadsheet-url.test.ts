import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GOOGLE_ORIGIN, parseSpreadsheetUrl, spreadsheetUrl } from './spreadsheet-url.ts'

const ID = '1AbCdEfGhIjKlMnOpQrStUvWxYz-0123456789_abcde'
const ORIGIN = 'http://127.0.0.1:4001'
const cases = process.env.LONG ? 100_000 : 5000

describe('the address of a spreadsheet', () => {
  it.each([
    [`https://docs.google.com/spreadsheets/d/${ID}/edit?gid=77#gid=77`, 77],
    [`https://docs.google.com/spreadsheets/d/${ID}/edit#gid=0`, 0],
    [`https://docs.google.com/spreadsheets/d/${ID}/edit?usp=sharing&ouid=1&rtpof=true&sd=true`, null],
    [`https://docs.google.com/spreadsheets/u/1/d/${ID}/`, null],
    [`https://docs.google.com/spreadsheets/d/${ID}`, null],
    [`https://docs.google.com/a/example.com/spreadsheets/d/${ID}/`, null],
    [`https://docs.google.com/spreadsheets/d/${ID}/view`, null],
    [`https://docs.google.com/spreadsheets/d/${ID}/preview`, null],
    [`https://docs.google.com/spreadsheets/d/${ID}/copy`, null],
    [`https://docs.google.com/spreadsheets/d/${ID}/htmlview`, null],
    [`https://docs.google.com/spreadsheets/d/${ID}/export?format=csv&gid=12`, 12],
    [`https://drive.google.com/open?id=${ID}`, null],
    [`https://drive.google.com/file/d/${ID}/view?usp=drive_link`, null],
    [`https://spreadsheets.google.com.evil.example/x`, undefined],
    [`https://docs.google.com/spreadsheet/ccc?key=${ID}&usp=drive_web#gid=3`, 3],
    [`http://docs.google.com/spreadsheets/d/${ID}/edit`, null],
    [`HTTPS://Docs.Google.com/spreadsheets/d/${ID}/edit`, null],
    [`  https://docs.google.com/spreadsheets/d/${ID}/edit  `, null],
    [`${ORIGIN}/spreadsheets/d/${ID}/edit#gid=5`, 5],
    [`${ORIGIN}/sheets/${ID}?gid=7`, 7],
    [`https://docs.google.com/spreadsheets/d/${ID}/edit#gid=99999999999`, null],
    [ID, null],
  ])('reads %s', (text, gid) => {
    const origin = text === ID ? null : text.includes('127.0.0.1') ? ORIGIN : GOOGLE_ORIGIN
    expect(parseSpreadsheetUrl(text, [ORIGIN])).toEqual(
      gid === undefined ? null : { spreadsheet_id: ID, gid, origin },
    )
  })

  it.each([
    `docs.google.com/spreadsheets/d/${ID}/edit#gid=5`,
    `<https://docs.google.com/spreadsheets/d/${ID}/edit#gid=5>`,
    `"https://docs.google.com/spreadsheets/d/${ID}/edit#gid=5"`,
    `“https://docs.google.com/spreadsheets/d/${ID}/edit#gid=5”,`,
    `「docs.google.com/spreadsheets/d/${ID}/edit#gid=5」。`,
    `(https://docs.google.com/spreadsheets/u/1/d/${ID}/edit#gid=5).`,
    `[https://docs.google.com/spreadsheets/d/${ID}/edit#gid=5]`,
    `[Weekly](https://docs.google.com/spreadsheets/d/${ID}/edit#gid=5)`,
    `Our numbers: https://docs.google.com/spreadsheets/d/${ID}/edit#gid=5 – thanks!`,
    `https://docs.google.com/spreadsheets/d/${ID}/edit#gid=5\nhttps://docs.google.com/spreadsheets/d/${ID}/`,
    `https://docs.google.com/\r\n spreadsheets/d/${ID}/edit#gid=5`,
    `\uFEFFhttps://docs.google.com/spreadsheets/d/${ID}/edit#gid=5\u200B`,
  ])('reads %j as it was pasted', text => {
    const address = { spreadsheet_id: ID, gid: 5, origin: GOOGLE_ORIGIN }
    expect(parseSpreadsheetUrl(text)).toEqual(address)
    expect(spreadsheetUrl(address)).toBe(`https://docs.google.com/spreadsheets/d/${ID}/edit#gid=5`)
  })

  it.each([`<${ID}>`, `"${ID}"`, ` ${ID}, `, `「${ID}」`])('reads the bare id in %j', text => {
    expect(parseSpreadsheetUrl(text)).toEqual({ spreadsheet_id: ID, gid: null, origin: null })
  })

  it('reads the address of another accepted service without its scheme, too', () => {
    expect(parseSpreadsheetUrl(`127.0.0.1:4001/sheets/${ID}?gid=7`, [ORIGIN])).toEqual({
      spreadsheet_id: ID,
      gid: 7,
      origin: ORIGIN,
    })
  })

  it('accepts any service only where that is asked for, and only by its scheme', () => {
    const text = `http://127.0.0.1:3060/spreadsheets/d/${ID}/edit`
    expect(parseSpreadsheetUrl(text, 'any')?.origin).toBe('http://127.0.0.1:3060')
    expect(parseSpreadsheetUrl(text.replace('http://', ''), 'any')).toBeNull()
  })

  it.each([
    '',
    'Weekly',
    'https://docs.google.com/spreadsheets/d/e/2PACX-1vTabcdefghijklmnopqrstuvwxyz0123456789/pubhtml',
    'https://docs.google.com/spreadsheets/u/0/',
    `https://docs.google.com/document/d/${ID}/edit`,
    `https://example.com/spreadsheets/d/${ID}/edit`,
    `https://docs.google.com.example.com/spreadsheets/d/${ID}/edit`,
    `https://docs.google.com@example.com/spreadsheets/d/${ID}/edit`,
    `https://example.com\\@docs.google.com/spreadsheets/d/${ID}/edit`,
    `https://user:pw@docs.google.com/spreadsheets/d/${ID}/edit`,
    `https://docs.google.com:8443/spreadsheets/d/${ID}/edit`,
    `ftp://docs.google.com/spreadsheets/d/${ID}/edit`,
    `javascript:alert(1)//docs.google.com/spreadsheets/d/${ID}`,
    `//docs.google.com/spreadsheets/d/${ID}/edit`,
    `http://127.0.0.1:4002/spreadsheets/d/${ID}/edit`,
    `https://docs.google.com/spreadsheets/d/${ID}%2F..%2Fx/edit`,
    `https://docs.google.com/spreadsheets/d/short/edit`,
    `https://docs.google.com/spreadsheets/d/${'x'.repeat(201)}/edit`,
    `docs.google.com@example.com/spreadsheets/d/${ID}/edit`,
    `example.com/spreadsheets/d/${ID}/edit`,
    `https://docs.google.com/spreadsheets/d/${ID}/edit https://docs.google.com/spreadsheets/d/other${ID}/edit`,
    `see ${ID}`,
    `https://docs.google.com/spreadsheets/d/1AbCdEfGhIj KlMnOpQrStUvWxYz/edit`,
  ])('refuses %s', text => {
    expect(parseSpreadsheetUrl(text, [ORIGIN])).toBeNull()
  })

  it(`rejects each of ${cases} odd addresses or takes an id from it, and never throws`, () => {
    fc.assert(
      fc.property(oddAddress(), text => {
        const address = parseSpreadsheetUrl(text, [ORIGIN])
        if (address === null) return
        expect(address.spreadsheet_id).toMatch(/^[A-Za-z0-9_-]{20,200}$/)
        expect(text).toContain(address.spreadsheet_id)
        expect(address.gid === null || Number.isSafeInteger(address.gid)).toBe(true)
      }),
      { numRuns: cases },
    )
  })

  it(`reads ${cases} addresses the same whatever stands around them, and what it writes itself`, () => {
    const ids = fc.stringMatching(/^[A-Za-z0-9_-]{20,60}$/)
    const gids = fc.option(fc.integer({ min: 0, max: 2 ** 31 - 1 }))
    const origins = fc.constantFrom(GOOGLE_ORIGIN, ORIGIN)
    const address = fc.record({ spreadsheet_id: ids, gid: gids, origin: origins })
    const around = fc.constantFrom(
      ['', ''],
      ['<', '>'],
      ['"', '"'],
      ['「', '」'],
      ['(', ').'],
      [' ', '\n'],
      ['', ','],
    )
    fc.assert(
      fc.property(address, around, fc.boolean(), (found, [before = '', after = ''], isWhole) => {
        const url = spreadsheetUrl(found)
        const text = isWhole ? url : url.replace(/^https?:\/\//, '')
        expect(parseSpreadsheetUrl(before + text + after, [ORIGIN])).toEqual(found)
      }),
      { numRuns: cases },
    )
  })
})

/** Addresses put together from true and false parts, so that many come near to a real one. */
function oddAddress() {
  const anything = fc.string({ unit: 'binary', maxLength: 30 })
  const scheme = fc.constantFrom('https://', 'http://', '', '//', 'javascript:', 'HTTPS://')
  const host = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('docs.google.com', 'drive.google.com', '127.0.0.1:4001') },
    fc.constantFrom('evil.example', 'docs.google.com@evil.example', 'docs.google.com:80', '[::1]'),
    anything,
  )
  const id = fc.oneof(
    { weight: 3, arbitrary: fc.stringMatching(/^[A-Za-z0-9_-]{15,60}$/) },
    fc.constantFrom('e', '', '..', '%2e%2e', ID),
    anything,
  )
  const path = fc.constantFrom(
    '/spreadsheets/d/',
    '/spreadsheets/u/1/d/',
    '/file/d/',
    '/open?id=',
    '/ccc?key=',
    '/',
  )
  const end = fc.oneof(fc.constantFrom('', '/edit', '/edit#gid=0', '&gid=12', '?gid=99999999999'), anything)
  return fc.oneof(
    { weight: 9, arbitrary: fc.tuple(scheme, host, path, id, end).map(parts => parts.join('')) },
    fc.webUrl(),
    fc.string({ unit: 'binary', maxLength: 200 }),
  )
}
