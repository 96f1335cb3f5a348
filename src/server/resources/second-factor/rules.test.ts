import { describe, expect, it } from 'vitest'
import { asAppCode, describeSecret, hashRecoveryCode, newRecoveryCodes, newSecret, stepOf } from './rules.ts'

/** RFC 6238, appendix B, SHA-1: the last six of its eight digits. */
const SECRET = Buffer.from('12345678901234567890')
const vectors: [number, string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
]
const at = (seconds: number) => new Date(seconds * 1000)

describe('a code', () => {
  it.each(vectors)('at %i seconds is %s, as RFC 6238 has it', (seconds, code) => {
    expect(stepOf(SECRET, code, at(seconds))).toBe(Math.floor(seconds / 30))
  })

  it('is valid one step before and after its own, and at no other time', () => {
    const code = '287082'
    // Its step is number 1: seconds 30 to 59.
    expect([0, 29, 30, 59, 60, 89].map(seconds => stepOf(SECRET, code, at(seconds)))).toEqual([
      1, 1, 1, 1, 1, 1,
    ])
    expect([90, 3600].map(seconds => stepOf(SECRET, code, at(seconds)))).toEqual([null, null])
  })

  it('of another secret, of another length or of no digits is invalid', () => {
    expect(stepOf(newSecret(), '287082', at(59))).toBeNull()
    for (const text of ['', '28708', '94287082', 'abcdef']) expect(stepOf(SECRET, text, at(59))).toBeNull()
  })

  it('may be typed in groups', () => {
    expect(['287082', '287 082', ' 287-082 '].map(asAppCode)).toEqual(['287082', '287082', '287082'])
    expect(['28708', '2870821', '28708a', '２８７０８２', ''].map(asAppCode)).toEqual([
      null,
      null,
      null,
      null,
      null,
    ])
  })
})

describe('a secret', () => {
  it('is 20 random bytes', () => {
    const secrets = Array.from({ length: 20 }, newSecret)
    expect(secrets.every(secret => secret.length === 20)).toBe(true)
    expect(new Set(secrets.map(String)).size).toBe(20)
  })

  it('is a URI that apps can read, whatever characters the name has', () => {
    expect(describeSecret(SECRET, 'anna')).toEqual({
      secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      uri: 'otpauth://totp/Sheetcast:anna?issuer=Sheetcast&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30',
    })
    const { pathname, searchParams } = new URL(describeSecret(SECRET, 'a&secret=b/陳#?:%').uri)
    expect(decodeURIComponent(pathname)).toBe('/Sheetcast:a&secret=b/陳#?:%')
    expect(searchParams.getAll('secret')).toEqual(['GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'])
  })
})

describe('recovery codes', () => {
  it('are ten of 120 bits, each unlike the others', () => {
    const codes = newRecoveryCodes()
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){5}$/)
  })

  it('are the same in capitals, without dashes, and with letters that look like digits', () => {
    const hash = hashRecoveryCode('0a1b-2c3d-4e5f-6g7h-8j9k-mnpq')
    for (const typed of [
      '0A1B2C3D4E5F6G7H8J9KMNPQ',
      'oaIb 2c3d 4e5f 6g7h 8j9k mnpq',
      '0alb-2c3d-4e5f-6g7h-8j9k-mnpq',
    ])
      expect(hashRecoveryCode(typed).equals(hash)).toBe(true)
    expect(hashRecoveryCode('0a1b-2c3d-4e5f-6g7h-8j9k-mnpr').equals(hash)).toBe(false)
  })
})
