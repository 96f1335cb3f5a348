import { expect, it } from 'vitest'
import { excessOfJson } from './json-bounds.ts'

it('counts the values of a JSON text, and how deep they are, but no marks within texts', () => {
  const list = (count: number) => JSON.stringify(Array.from({ length: count }, () => 0))
  expect(excessOfJson(list(29_999))).toBeNull()
  expect(excessOfJson(list(30_001))).toBe('too_many_values')
  expect(excessOfJson('{},'.repeat(20_000))).toBe('too_many_values')
  expect(excessOfJson('[' + '[],'.repeat(20_000))).toBe('too_many_values')
  expect(excessOfJson(`${'['.repeat(32)}${']'.repeat(32)}`)).toBeNull()
  expect(excessOfJson(`${'['.repeat(33)}${']'.repeat(33)}`)).toBe('too_deep')
  expect(excessOfJson(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`)).toBe('too_deep')
  for (const text of [',[{'.repeat(50_000), `\\"${',"'.repeat(50_000)}`, '\\', '"', '\\\\'.repeat(5)])
    expect(excessOfJson(JSON.stringify({ text }))).toBeNull()
  // After the end of a text, brackets count again.
  expect(excessOfJson(`["\\\\",${'['.repeat(40)}`)).toBe('too_deep')
  expect(excessOfJson('"without end'.padEnd(100_000, '['))).toBeNull()
})

it('counts the fields of each object by itself', () => {
  const object = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`:${n}`, ':']))
  expect(excessOfJson(JSON.stringify(object(500)))).toBeNull()
  expect(excessOfJson(JSON.stringify(object(501)))).toBe('too_many_values')
  expect(excessOfJson(JSON.stringify({ a: [object(1), object(501)] }))).toBe('too_many_values')
  expect(
    excessOfJson(JSON.stringify([object(400), object(400), { a: object(400), ...object(400) }])),
  ).toBeNull()
  expect(excessOfJson(`${'}'.repeat(50)}${':'.repeat(600)}`)).toBeNull()
})
