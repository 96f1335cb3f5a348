import { randomUUIDv7 } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import type { Database } from '#server/db/schema.ts'

/** A report of a new person, as small as a test needs. */
export async function insertReport(db: Db, fields: Partial<Insertable<Database['report']>> = {}) {
  const { id: owner } = await db
    .insertInto('users')
    .values({ username: `owner ${crypto.randomUUID()}`, identity: 'manager', user_type: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: report } = await db
    .insertInto('report')
    .values({
      owner,
      name: 'Daily',
      timezone: 'Asia/Taipei',
      header_language: 'en',
      arrangement: 'joined',
      fill_zero: false,
      dimensions: '["date"]',
      channels: '[]',
      dynamic_range: 1,
      update_frequency: 0,
      ...fields,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { report, owner }
}

let last_id = ''

/** Ids in the order of the calls: those that are made within one millisecond have none by themselves. */
export function nextRunId(): string {
  let id = randomUUIDv7()
  while (id <= last_id) id = randomUUIDv7()
  last_id = id
  return id
}
