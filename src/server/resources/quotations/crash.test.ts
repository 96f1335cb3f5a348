import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testApi, type ApiResponse } from '#server/http/testing/api.ts'
import {
  ACCEPTANCE,
  accepted,
  act,
  agency,
  budgetLine,
  exampleBody,
  plainPdf,
  quotationIn,
  QUOTATIONS,
  sent,
  written,
} from './testing/orders.ts'

/** An action whose statements fail, one after the other: it has done everything, or nothing. */
const api = await testApi({ effects: { pdf: plainPdf().renderer } })
api.clock.now = new Date('2026-11-26T04:00:00Z')
const { db } = api
const us = await agency(api)
const { manager } = us
const schedule = [
  { share: 5000, after: 0 },
  { share: 5000, after: 30 },
]
const body = { ...exampleBody(us), schedule }

const tables = [
  'quotation',
  'quotation_line',
  'quotation_line_account',
  'quotation_file',
  'payment',
  'number_series',
  'audit',
]
await sql`create sequence statements`.execute(db)
await sql`create table failing (statement bigint)`.execute(db)
await sql`insert into failing values (0)`.execute(db)
await sql`create function fail() returns trigger language plpgsql as $$ begin
  if nextval('statements') = (select statement from failing) then raise exception 'the disk is full'; end if;
  return null;
end $$`.execute(db)
for (const table of tables)
  await sql`create trigger fails before insert or update or delete on ${sql.table(table)}
    for each statement execute function fail()`.execute(db)

/** The next statements fail at the one of this number; 0: none. */
async function failAt(statement: number) {
  await sql`update failing set statement = ${statement}`.execute(db)
  await sql`select setval('statements', 1, false)`.execute(db)
}

/** Everything that an action may change. */
async function everything() {
  const all = await Promise.all(
    tables.map(table => sql`select * from ${sql.table(table)} t order by t::text`.execute(db)),
  )
  return all.map(({ rows }) => rows)
}

async function atEachStatement(action: () => Promise<ApiResponse>) {
  const before = await everything()
  for (let statement = 1; ; statement++) {
    await failAt(statement)
    const response = await action()
    if (response.status < 300) {
      await failAt(0)
      return { statements: statement - 1, response }
    }
    expect([statement, response.status]).toEqual([statement, 500])
    expect(await everything()).toEqual(before)
  }
}

describe('an action that fails at any of its statements changes nothing', () => {
  it('sending', async () => {
    const { id } = await written(manager, body)
    const { statements, response } = await atEachStatement(() =>
      manager.post(`${QUOTATIONS}${id}/send/`, { version: 1 }),
    )
    expect(quotationIn(response).status).toBe('sent')
    expect(statements).toBeGreaterThan(3)
  })

  it('accepting a revision of an accepted order', async () => {
    const first = await accepted(manager, body)
    const draft = quotationIn(await act(manager, first.id, 'revise'))
    const change = { version: 1, lines: [budgetLine(500_000, 0)] }
    quotationIn(await manager.patch(`${QUOTATIONS}${draft.id}/`, change))
    const { version } = quotationIn(await act(manager, draft.id, 'send'))
    const { statements, response } = await atEachStatement(() =>
      manager.post(`${QUOTATIONS}${draft.id}/accept/`, { version, ...ACCEPTANCE }),
    )
    expect(quotationIn(response).status).toBe('accepted')
    expect(statements).toBeGreaterThan(12)
  })

  it('cancelling an accepted order', async () => {
    const order = await accepted(manager, body)
    const { response } = await atEachStatement(() =>
      manager.post(`${QUOTATIONS}${order.id}/cancel/`, { version: order.version, reason: 'Called off' }),
    )
    expect(quotationIn(response).status).toBe('cancelled')
  })

  it('writing the next revision', async () => {
    const order = await sent(manager, body)
    const { response } = await atEachStatement(() =>
      manager.post(`${QUOTATIONS}${order.id}/revise/`, { version: order.version }),
    )
    expect(quotationIn(response).revision).toBe(2)
  })
})
