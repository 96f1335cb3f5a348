import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { idAt } from './id-at.ts'
import { testDatabase } from './testing/database.ts'

const { db } = await testDatabase()

it('is below every id of its millisecond and above those of the one before, as Postgres orders them', async () => {
  const at = new Date('2026-11-25T01:00:00.123Z')
  const idIn = (instant: Date) => idAt(instant).replace('7000-8000-000000000000', '7fff-bfff-ffffffffffff')
  const { rows } = await sql<{ is_between: boolean }>`
    select ${idIn(new Date(at.getTime() - 1))}::uuid < ${idAt(at)}::uuid
      and ${idAt(at)}::uuid < ${idIn(at)}::uuid as is_between`.execute(db)
  expect(rows).toEqual([{ is_between: true }])
})
