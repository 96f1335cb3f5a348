import { describe, expect, it } from 'vitest'
import { textsOf } from '#server/connectors/text-column.ts'
import { rowReader } from './byte-rows.ts'
import { shapeOf } from './rows.ts'

const readerOfIds = () =>
  rowReader(
    shapeOf(rows => rows.texts(['id'])),
    ['rows'],
  )

/** The ids in a response; null: it was left to JSON.parse. */
function idsIn(json: string): string[] | null {
  const reader = readerOfIds()
  const body = reader.read(Buffer.from(json))
  if (body === null) return null
  const rows = reader.rowsOf((body as { rows: [] }).rows)
  return textsOf(rows.texts(['id']), rows.length)
}

describe('a row reader', () => {
  it('passes over objects that nobody reads, as long as they are JSON', () => {
    const unread = '{"name":"x","of":{"list":[1,{"a":null}],"empty":{}},"id":"other"}'
    expect(idsIn(`{"rows":[{"unread":${unread},"id":"1"},{"unread":${unread},"id":"2"}]}`)).toEqual([
      '1',
      '2',
    ])
    expect(idsIn('{"rows":[{"unread":{"of":01},"id":"1"}]}')).toBeNull()
    expect(idsIn('{"rows":[{"unread":{"of":1,},"id":"1"}]}')).toBeNull()
  })

  it.each([
    ['deep', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['many and empty', `{${Array.from({ length: 50_000 }, (_, at) => `"${at}":{}`).join()}}`],
  ])('leaves objects that are %s to JSON.parse', (_, unread) => {
    expect(idsIn(`{"rows":[{"unread":${unread},"id":"1"}]}`)).toBeNull()
  })

  it('leaves a response whose rows are of another shape by what stands beside them', () => {
    const ofVersion = (version: number) => (body: unknown) =>
      (body as { version: number }).version === version
    const bytes = Buffer.from('{"rows":[{"id":"1"}],"version":2}')
    const shape = shapeOf(rows => rows.texts(['id']))
    expect(rowReader(shape, ['rows'], ofVersion(1)).read(bytes)).toBeNull()
    expect(rowReader(shape, ['rows'], ofVersion(2)).read(bytes)).not.toBeNull()
  })
})
