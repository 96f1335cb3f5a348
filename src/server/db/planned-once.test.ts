import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { connect } from './connect.ts'
import { plannedOnce } from './planned-once.ts'
import { createTestDatabase } from './testing/database.ts'

const database = await createTestDatabase()
const { db, close } = await connect(database.url, { command: 'test', pool_size: 1 })
afterAll(async () => {
  await close()
  await database.drop()
})

const plans = async () => {
  const { rows } = await sql<{ statement: string; calls: number }>`
    select statement, generic_plans + custom_plans as calls from pg_prepared_statements`.execute(db)
  return rows.map(({ statement, calls }) => [statement.replace('/* planned once */ ', ''), Number(calls)])
}

it('keeps the plans of the statements that say so, and of no others', async () => {
  for (const number of [1, 2, 3]) {
    const { rows } = await sql`${plannedOnce} select ${number}::int as number`.execute(db)
    expect(rows).toEqual([{ number }])
    await sql`select ${number}::int as other`.execute(db)
  }
  expect(await plans()).toEqual([['select $1::int as number', 3]])
})

it('goes on when a migration has added a column, once each time', async () => {
  await sql`create table item (id int)`.execute(db)
  const insert = async (id: number) =>
    (await sql`${plannedOnce} insert into item select ${id}::int returning *`.execute(db)).rows
  expect(await insert(1)).toEqual([{ id: 1 }])
  await sql`alter table item add column name text`.execute(db)
  expect(await insert(2)).toEqual([{ id: 2, name: null }])
  expect(await insert(3)).toEqual([{ id: 3, name: null }])
  expect((await sql`select id from item order by id`.execute(db)).rows).toEqual([1, 2, 3].map(id => ({ id })))
})

it('fails as any statement does', async () => {
  const divide = (by: number) => sql`${plannedOnce} select 1 / ${by}::int as quotient`.execute(db)
  await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
  expect((await divide(1)).rows).toEqual([{ quotient: 1 }])
})
