import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { beginningWith, containing, directionOf } from './list-terms.ts'
import { testDatabase } from './testing/database.ts'

const { db } = await testDatabase()

describe('a search text', () => {
  const names = ['100% done', '100 done', String.raw`a\b_c`, 'axb c']
  const found = async (pattern: string) => {
    const { rows } = await sql<{ name: string }>`
      select name from unnest(${names}::text[]) name where name like ${pattern}`.execute(db)
    return rows.map(({ name }) => name)
  }

  it('is matched literally, wildcards too', async () => {
    expect(await found(containing('0% d'))).toEqual(['100% done'])
    expect(await found(containing(String.raw`\b_`))).toEqual([String.raw`a\b_c`])
    expect(await found(containing(''))).toEqual(names)
  })

  it('is matched at the beginning alone', async () => {
    expect(await found(beginningWith('100'))).toEqual(['100% done', '100 done'])
    expect(await found(beginningWith('done'))).toEqual([])
  })
})

it('orders by a field in descending order when its name has a minus sign', () => {
  expect([directionOf('name'), directionOf('-name')]).toEqual(['asc', 'desc'])
})
