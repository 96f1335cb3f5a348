import { expect, it } from 'vitest'
import { personName } from './person-name.ts'
import { testDatabase } from './testing/database.ts'

const { db } = await testDatabase()

it('is the full name, or else the user name, and null where a join found nobody', async () => {
  for (const [username, full_name] of [
    ['mika', 'Mika Chen'],
    ['juno', ''],
  ] as const)
    await db.insertInto('users').values({ username, full_name, identity: 'staff', user_type: 1 }).execute()
  const rows = await db
    .selectFrom('users')
    .leftJoin('users as other', join => join.onRef('other.id', '<', 'users.id'))
    .select([personName<string>('users').as('name'), personName('other').as('earlier')])
    .orderBy('users.id')
    .execute()
  expect(rows).toEqual([
    { name: 'Mika Chen', earlier: null },
    { name: 'juno', earlier: 'Mika Chen' },
  ])
})
