import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { KeySet } from './key-set.ts'

const keysOf = (count: number) =>
  Buffer.concat(
    Array.from({ length: count }, (_, n) => createHash('sha256').update(String(n)).digest().subarray(0, 8)),
  )

it('has exactly the keys that were added, also when it is as full as it may be', () => {
  const [most, keys] = [10_000, keysOf(20_000)]
  const set = new KeySet(most)
  for (let n = 0; n < most; n++) expect(set.add(keys, n * 8)).toBe(true)
  for (let n = 0; n < most; n++) expect([set.has(keys, n * 8), set.add(keys, n * 8)]).toEqual([true, false])
  for (let n = most; n < 2 * most; n++) expect(set.has(keys, n * 8)).toBe(false)
})

it('tells keys apart that differ in either half, and takes zeros', () => {
  const set = new KeySet(0)
  const key = (high: number, low: number) => {
    const bytes = Buffer.alloc(8)
    bytes.writeUInt32BE(high)
    bytes.writeUInt32BE(low, 4)
    return bytes
  }
  expect(set.has(key(0, 0), 0)).toBe(false)
  for (const each of [key(0, 0), key(1, 0), key(0xffffffff, 7), key(0, 7)])
    expect(set.add(each, 0)).toBe(true)
  for (const each of [key(0, 0), key(1, 0), key(0xffffffff, 7), key(0, 7)])
    expect(set.has(each, 0)).toBe(true)
  expect(set.has(key(2, 0), 0)).toBe(false)
})

it('looks at a few slots for each key, also when keys were made to meet in one place', () => {
  const count = 50_000
  const alike = Buffer.alloc(count * 8)
  for (let n = 0; n < count; n++) alike.writeUInt32BE(n, n * 8)
  const set = new KeySet(count)
  for (let n = 0; n < count; n++) set.add(alike, n * 8)
  for (let n = 0; n < count; n++) set.has(alike, n * 8)
  // One after the other they would be looked at 50,000 times each.
  expect(set.probes).toBeLessThan(10 * 2 * count)
})
