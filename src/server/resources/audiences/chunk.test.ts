import { createHash, randomBytes, randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memberColumns, type MemberColumn } from '#shared/audiences.ts'
import { createVault, SealBroken } from '#server/vault.ts'
import { onlyRows, openChunk, packRows, sealChunk, unpackRows } from './chunk.ts'
import { fingerprintsOf } from './member-keys.ts'

const hash = fc.nat().map(n => createHash('sha256').update(String(n)).digest('hex'))
const cell = fc.oneof(hash, fc.constant(''))
const members = fc
  .subarray([...memberColumns], { minLength: 1 })
  .chain(columns => fc.shuffledSubarray(columns, { minLength: columns.length }))
  .chain(columns =>
    fc.record({
      columns: fc.constant(columns),
      rows: fc.array(fc.array(cell, { minLength: columns.length, maxLength: columns.length })),
    }),
  )
const key = Buffer.alloc(32, 7)

describe('packed rows', () => {
  it('are what was packed, whatever is missing in them', () => {
    fc.assert(fc.property(members, each => void expect(unpackRows(packRows(each))).toEqual(each)))
  })

  it('take 32 bytes for each hash and a bit for each field', () => {
    const full = '5'.repeat(64)
    const packed = packRows({
      columns: ['email', 'phone'],
      rows: [
        [full, ''],
        [full, full],
        ['', ''],
      ],
    })
    expect(packed.bytes.length).toBe(3 + 3 * 32)
  })

  it('are the same rows after others have been taken out', () => {
    const chosen = members.chain(each =>
      fc.tuple(fc.constant(each), fc.subarray(each.rows.map((_, at) => at))),
    )
    fc.assert(
      fc.property(chosen, ([{ columns, rows }, kept]) => {
        const left = { columns, rows: kept.map(at => rows[at] ?? []) }
        expect(unpackRows(onlyRows(packRows({ columns, rows }), kept))).toEqual(left)
      }),
    )
  })
})

describe('the fingerprint of a row', () => {
  it('is the same in any order of columns, and without a column that is empty', () => {
    const [email, phone] = ['a'.repeat(64), 'b'.repeat(64)]
    const of = (columns: MemberColumn[], row: string[]) =>
      fingerprintsOf(key, packRows({ columns, rows: [row] })).toString('hex')
    const both = of(['email', 'phone'], [email, phone])
    expect(of(['phone', 'email'], [phone, email])).toBe(both)
    expect(of(['phone', 'email', 'gender'], [phone, email, ''])).toBe(both)
    expect(of(['email', 'phone'], [phone, email])).not.toBe(both)
    expect(of(['email', 'phone_e164'], [email, phone])).not.toBe(both)
    expect(of(['email'], [email])).not.toBe(both)
  })

  it('cannot be computed from the hash without the key', () => {
    const packed = packRows({ columns: ['email'], rows: [['a'.repeat(64)]] })
    expect(fingerprintsOf(key, packed)).toEqual(fingerprintsOf(key, packed))
    expect(fingerprintsOf(Buffer.alloc(32, 8), packed)).not.toEqual(fingerprintsOf(key, packed))
  })
})

describe('a sealed chunk', () => {
  const vault = createVault([randomBytes(32)])
  const facts = { id: 7, audience: 3, upload: randomUUID(), columns: ['email' as const], rows: 1 }
  const rows = [['c0ffee'.padEnd(64, '1')]]
  const sealed = sealChunk(vault, facts, packRows({ columns: facts.columns, rows }).bytes)

  it('opens to its rows', () => {
    expect(openChunk(vault, { ...facts, sealed })).toEqual({ columns: ['email'], rows })
    expect(sealed.toString('hex')).not.toContain('c0ffee')
  })

  it.each([{ id: 8 }, { audience: 4 }, { upload: randomUUID() }])('opens nowhere else: %o', other => {
    expect(() => openChunk(vault, { ...facts, ...other, sealed })).toThrow(SealBroken)
  })
})
