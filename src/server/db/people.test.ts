import { Client } from 'pg'
import { afterAll, expect, it } from 'vitest'
import { migrate, readMigrations } from './migrate.ts'
import { READER } from './reader.ts'
import { createTestDatabase } from './testing/database.ts'

const database = await createTestDatabase()
afterAll(database.drop)

it('the migration of people writes mobile numbers as E.164, closes the accounts of who has left, and loses nothing', async () => {
  const migrations = await readMigrations()
  const before = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name === '0041_people'),
  )
  await migrate(database.url, { migrations: before })
  const contacts = [
    { type: 2, value: 'ann@agency.example' },
    { type: 1, value: '0912-345 678' },
    { type: 1, value: '+886 (922) 333444' },
    { type: 1, value: '02-2345-6789 (ask for Ann)' },
    { type: 0, value: '0912345678' },
  ]
  await query(
    `insert into users (username, full_name, identity, user_type, employment_status, contacts)
      values ('a', repeat('n', 120), 'staff', 1, 1, $1), ('bo', '', 'external_user', 2, 2, '[]'), ('cy', '', 'staff', 1, 3, '[]')`,
    [JSON.stringify(contacts)],
  )

  await migrate(database.url)

  const people = await query(
    'select username, length(full_name) as length, is_active, plan, contacts from users order by id',
  )
  expect(people).toMatchObject([
    { username: 'a', length: 120, is_active: 1, plan: 0 },
    { username: 'bo', is_active: 0 },
    { username: 'cy', is_active: 1 },
  ])
  expect(people[0]?.['contacts']).toEqual([
    contacts[0],
    { type: 1, value: '+886912345678' },
    { type: 1, value: '+886922333444' },
    contacts[3],
    contacts[4],
  ])
  expect(await query(`select has_column_privilege('${READER}', 'users', 'plan', 'select') as may`)).toEqual([
    { may: true },
  ])
})

async function query(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: database.url })
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}
