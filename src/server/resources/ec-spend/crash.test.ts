import { sql, type KyselyPlugin } from 'kysely'
import { expect, it } from 'vitest'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { testApi } from '#server/http/testing/api.ts'
import { billMonth } from './bill.ts'
import { lockMonth, unlockMonth } from './lock.ts'
import { asOfOneMoment } from './read-spend.ts'
import { billingData } from './testing/billing.ts'

/**
 * The server ends the session after each statement in turn: nothing of a lock or a bill stays, or all of
 * it.
 */
const api = await testApi()
const data = billingData(api.db)
const { user } = await api.signedIn('staff', { department: 7 })
const moment = { now: new Date('2026-12-03T02:00:00Z'), time_zone: 'Asia/Taipei' }
const month = '2026-11'

for (const cost of [100, 200]) {
  const advertiser = await data.customer()
  await data.account(advertiser, { channel: 'fb', costs: [{ month, cost }] })
  await data.fee(advertiser, 15)
}

const lock = (db: Db) =>
  asOfOneMoment(db, trx => lockMonth(trx, { month, waive: [], first: false }, { user: user.id, moment }))
const bill = (db: Db) => inTransaction(db, trx => billMonth(trx, { month }, { user: user.id, moment }))

/** Counts the statements, and ends the session that holds the months once so many have been answered. */
function cutAfter(statements: number) {
  let answered = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      answered += 1
      if (answered === statements)
        await sql`
          select pg_terminate_backend(pid, 10000) from pg_locks
          where relation = 'billing_month'::regclass and mode = 'ExclusiveLock' and granted
            and database = (select oid from pg_database where datname = current_database())`.execute(api.db)
      return result
    },
  }
  return { db: api.db.withPlugin(plugin), count: () => answered }
}

const tables = [
  'billing_month',
  'statement',
  'statement_line',
  'locked_account',
  'payment',
  'number_series',
  'audit',
] as const
/** All rows, without ids, which failed attempts use up. */
async function contents(): Promise<Record<string, unknown>> {
  const all: [string, unknown][] = []
  for (const table of tables) {
    const { rows } = await sql<{ row: object }>`
      select to_jsonb(each) - array['id', 'statement', 'object_id'] as row from ${sql.table(table)} each order by 1`.execute(
      api.db,
    )
    all.push([table, rows.map(({ row }) => row)])
  }
  return Object.fromEntries(all)
}

async function cutEverywhere(work: (db: Db) => Promise<unknown>, undo: () => Promise<unknown>) {
  const whole = cutAfter(0)
  await work(whole.db)
  await undo()
  expect(whole.count()).toBeGreaterThan(8)
  for (let statement = 1; statement <= whole.count(); statement += 1) {
    const before = await contents()
    await expect(work(cutAfter(statement).db), `cut after ${statement}`).rejects.toThrow(
      /connection|terminat/i,
    )
    expect(await contents(), `cut after ${statement}`).toEqual(before)
  }
  await work(api.db)
}

it('a lock is whole or nothing wherever it is cut off, and done again completes', async () => {
  await cutEverywhere(lock, async () => {
    await asOfOneMoment(api.db, trx =>
      unlockMonth(trx, { month, reason: 'again' }, { user: user.id, now: moment.now }),
    )
  })
  const { billing_month, statement, statement_line, locked_account } = await contents()
  expect(billing_month).toMatchObject([{ state: 'locked' }])
  expect([statement, statement_line, locked_account].map(rows => Object(rows).length)).toEqual([2, 2, 2])
})

it('and so is a bill, with numbers that have no gap', async () => {
  await cutEverywhere(bill, async () => {
    await api.db.deleteFrom('payment').execute()
    await api.db.deleteFrom('number_series').execute()
  })
  const { payment, number_series } = await contents()
  const numbers = JSON.stringify(payment).match(/P2026-\d+/g) ?? []
  expect(numbers.toSorted()).toEqual(['P2026-0001', 'P2026-0002'])
  expect(number_series).toMatchObject([{ series: 'P', year: 2026, last: 2 }])
  expect(await bill(api.db)).toBe(0)
})
