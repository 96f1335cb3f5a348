import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSpreadsheetUrl } from './spreadsheet-url.ts'

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
    expect(parseSpreadsheetUrl(text, [ORIGIN])).toEqual(
      gid === undefined ? null : { spreadsheet_id: ID, gid },
    )
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
