import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { ACCOUNTS } from '#sandbox/dataset/agency.ts'
import { isoOf, knownDay } from '#sandbox/dataset/calendar.ts'
import { slotOf, withParents } from '#sandbox/dataset/metrics.ts'
import { adderOf } from '#sandbox/dataset/totals.ts'
import { createDataset } from '#sandbox/dataset/dataset.ts'
import { MILLIONTHS } from '#shared/money.ts'
import { providers } from '#shared/platforms.ts'
import { sources } from '#server/connectors/all.ts'
import { PlatformFailure, type ReportRequest, type Source } from '#server/connectors/connector.ts'
import { textColumn } from '#server/connectors/text-column.ts'
import { demoLogins } from '#server/demo/logins.ts'
import { mixedAgency } from '#server/resources/runs/testing/mixed-agency.ts'
import { openDataset } from '#server/resources/runs/testing/mixed-dataset.ts'
import { claimAccount, saveDays } from './queries.ts'
import { refreshNextAccount, type SpendEffects } from './refresh.ts'

const agency = await mixedAgency()
const { db, sandbox } = agency
const NOW = '2026-11-20T02:00:00Z'
const LATER = '2026-11-26T02:00:00Z'
const TODAY = { [NOW]: '2026-11-20', [LATER]: '2026-11-26' } as const
type Instant = keyof typeof TODAY

/** One of each product of the platforms, in Taipei and Tokyo, where it is the same day. */
const CHOSEN = [
  ['fb', 'Aurora Cosmetics Taiwan'],
  ['aw', 'Aurora Cosmetics JP'],
  ['yg', 'Aurora 検索広告'],
  ['yg', 'Fjord Travel ディスプレイ'],
  ['yg', 'Aurora 原生廣告'],
  ['tt', 'Aurora TikTok'],
  ['ln', 'Aurora LINE'],
] as const

let requests: ReportRequest[] = []
beforeAll(async () => {
  await db
    .deleteFrom('ad_account')
    .where('name', 'not in', [...CHOSEN.map(([, name]) => name), 'Fjord Travel Japan (access revoked)'])
    .execute()
})

/** The platforms of the sandbox, with their requests recorded. */
const effects = (now: Instant, more: Partial<SpendEffects> = {}): SpendEffects => {
  const { fetch, hosts, tokens, limiter } = agency.effects()
  return {
    fetch,
    hosts,
    tokens,
    limiter,
    sourceOf: async ({ provider }) => {
      const { platform } = providers[provider]
      const source = sources[platform](demoLogins[platform])
      const fetchReport: Source['fetchReport'] = (request, context) => {
        requests.push(request)
        return source.fetchReport(request, context)
      }
      return { ...source, fetchReport }
    },
    now: () => new Date(now),
    stopping: new AbortController().signal,
    every_ms: 3 * 3600_000,
    sleep: async () => {},
    ...more,
  }
}

/** Until nothing is left to fetch, however long platforms take to prepare their reports. */
async function refreshAll(now: Instant, more: Partial<SpendEffects> = {}) {
  requests = []
  for (let polls = 0; polls < 60; polls += 1) {
    while (await refreshNextAccount(db, effects(now, more)));
    const { numUpdatedRows } = await db
      .updateTable('spend_account')
      .set({ next_at: new Date(now) })
      .where('next_at', '>', new Date(now))
      .where('code', 'is', null)
      .where(eb => eb.or([eb('refreshed_at', 'is', null), sql<boolean>`jobs <> '{}'`]))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
  }
  throw new Error('the platforms do not come to an end')
}

const storedDays = (name: string) =>
  db
    .selectFrom('spend_day')
    .innerJoin('ad_account', 'ad_account.id', 'spend_day.ad_account')
    .select(['day', 'cost', 'impressions', 'clicks', 'conversions'])
    .where('name', '=', name)
    .orderBy('day')
    .execute()
const stateOf = (name: string) =>
  db
    .selectFrom('spend_account')
    .innerJoin('ad_account', 'ad_account.id', 'spend_account.ad_account')
    .selectAll('spend_account')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()

/** From the dataset behind the platforms: by day, summed over everything that delivered. */
function deliveries(channel: (typeof CHOSEN)[number][0], name: string, now: Instant) {
  const rows = openDataset(now).deliveries(channel, name, { start: '2025-10-17', end: TODAY[now] })
  const days = new Map<string, { cost: number; impressions: number; clicks: number }>()
  for (const { date, cost, impressions, clicks } of rows) {
    const sum = days.get(date) ?? { cost: 0, impressions: 0, clicks: 0 }
    days.set(date, {
      cost: sum.cost + Math.round(cost * MILLIONTHS),
      impressions: sum.impressions + impressions,
      clicks: sum.clicks + clicks,
    })
  }
  return [...days].map(([day, sums]) => ({ day, ...sums })).toSorted((a, b) => (a.day < b.day ? -1 : 1))
}

/** The same by month, for each of the 25 before the running one and for that one. */
function costsByMonth(channel: (typeof CHOSEN)[number][0], name: string, now: Instant) {
  const running = Temporal.PlainYearMonth.from(TODAY[now])
  const costs = new Map(
    Array.from({ length: 26 }, (_, back) => [`${running.subtract({ months: back })}-01`, 0]),
  )
  const start = [...costs.keys()].at(-1) ?? ''
  for (const { date, cost } of openDataset(now).deliveries(channel, name, { start, end: TODAY[now] })) {
    const month = `${date.slice(0, 7)}-01`
    costs.set(month, (costs.get(month) ?? 0) + Math.round(cost * MILLIONTHS))
  }
  return [...costs].map(([month, cost]) => ({ month, cost })).toReversed()
}

const storedMonths = (name: string) =>
  db
    .selectFrom('spend_month')
    .innerJoin('ad_account', 'ad_account.id', 'spend_month.ad_account')
    .select(['month', 'cost', 'known', 'origin', 'as_of'])
    .where('name', '=', name)
    .orderBy('month')
    .execute()

/** Meta's purchases, as far as they are booked by then. */
function purchases(name: string, now: Instant): Record<string, number> {
  const account = ACCOUNTS.find(one => one.channel === 'fb' && one.name === name)
  if (!account) throw new Error(name)
  const dataset = createDataset({ clock: { now: () => Date.parse(now) } })
  const slots = withParents(['web_purchases', 'app_purchases'])
  const ads = dataset.campaigns(account).flatMap(({ ad_sets }) => ad_sets.flatMap(ad_set => ad_set.ads))
  const add = adderOf({ account, moment: dataset.moment(account), slots, without_people: true }, ads)
  const found: Record<string, number> = {}
  for (let day = knownDay('2026-09-20'); day <= knownDay(TODAY[now]); day += 1) {
    const [sum] = add({ first: day, last: day })
    if (sum)
      found[isoOf(day)] = (sum.counts[slotOf.web_purchases] ?? 0) + (sum.counts[slotOf.app_purchases] ?? 0)
  }
  return found
}

describe('the daily spend', () => {
  it('is that of each account in the dataset, a year and a month back', async () => {
    await refreshAll(NOW)
    for (const [channel, name] of CHOSEN) {
      const stored = (await storedDays(name)).map(({ conversions: _conversions, ...day }) => day)
      expect([name, stored]).toEqual([name, deliveries(channel, name, NOW)])
      expect(stored.length, name).toBeGreaterThan(100)
      expect(await stateOf(name)).toMatchObject({
        known_from: '2025-10-17',
        known_to: TODAY[NOW],
        code: null,
      })
    }
  })

  it('has the conversions of each day as far as they are booked', async () => {
    const stored = (await storedDays('Aurora Cosmetics Taiwan')).filter(({ day }) => day >= '2026-09-20')
    const counted = Object.fromEntries(stored.map(({ day, conversions }) => [day, conversions]))
    expect(counted).toEqual(purchases('Aurora Cosmetics Taiwan', NOW))
  })

  it('has why an account cannot be fetched, and goes on with the others', async () => {
    const revoked = await stateOf('Fjord Travel Japan (access revoked)')
    expect(revoked).toMatchObject({ code: 'account_access_lost', refreshed_at: null, failures: 1 })
    expect(revoked.next_at.getTime()).toBeGreaterThan(Date.parse(NOW))
  })

  it('fetches nothing again before its time', async () => {
    requests = []
    expect(await refreshNextAccount(db, effects(NOW))).toBe(false)
    expect(requests).toEqual([])
  })
})

describe('the monthly spend', () => {
  it('is that of each account in the dataset, two years and a month back', async () => {
    for (const [channel, name] of CHOSEN) {
      const stored = await storedMonths(name)
      expect([name, stored.map(({ month, cost }) => ({ month, cost }))]).toEqual([
        name,
        costsByMonth(channel, name, NOW),
      ])
      expect(stored.map(({ known }) => known)).toEqual([...Array(25).fill('full'), 'partial'])
    }
  })

  it('is written with the days of an account, and is there for those fetched before there were months', async () => {
    const [, name] = CHOSEN[1]
    const before = await storedMonths(name)
    await db.deleteFrom('spend_month').execute()
    await db
      .updateTable('spend_account')
      .set({ next_at: new Date(NOW), refreshed_at: null })
      .execute()
    await refreshAll(NOW)
    expect(await storedMonths(name)).toEqual(before)
  })
})

describe('six days later', () => {
  it('fetches the changes since, and only the days that can have changed', async () => {
    const before = await storedDays('Aurora Cosmetics Taiwan')
    await sandbox.reset(LATER, { keep_files: true })
    await refreshAll(LATER)
    const after = await storedDays('Aurora Cosmetics Taiwan')
    const counted = Object.fromEntries(
      after.filter(({ day }) => day >= '2026-09-20').map(({ day, conversions }) => [day, conversions]),
    )
    expect(counted).toEqual(purchases('Aurora Cosmetics Taiwan', LATER))
    const revised = before.filter(
      ({ day, conversions }) => after.find(each => each.day === day)?.conversions !== conversions,
    )
    expect(revised.length).toBeGreaterThan(5)

    const ranges = new Map(requests.map(({ account, range }) => [account.provider, range]))
    expect(ranges.get('meta')).toEqual({ start: '2026-10-24', end: '2026-11-26' })
    expect(ranges.get('google_ads')).toEqual({ start: '2026-08-23', end: '2026-11-26' })
    expect(revised.every(({ day }) => day >= '2026-10-24')).toBe(true)
  })

  it('keeps months that are complete, and what somebody has imported', async () => {
    const name = 'Aurora Cosmetics JP'
    const { ad_account } = await stateOf(name)
    const set = async (month: string, values: { cost?: number; origin?: 'import'; known?: 'partial' }) =>
      await db
        .updateTable('spend_month')
        .set(values)
        .where('ad_account', '=', ad_account)
        .where('month', '=', month)
        .execute()
    const dueNow = () =>
      db
        .updateTable('spend_account')
        .set({ next_at: new Date(LATER), refreshed_at: null })
        .execute()
    const costs = async () => (await storedMonths(name)).map(({ month, cost }) => ({ month, cost }))
    const right = costsByMonth('aw', name, LATER)
    const but = (month: string, cost: number) =>
      right.map(each => (each.month === month ? { month, cost } : each))

    await set('2026-10-01', { cost: 5, origin: 'import' })
    await dueNow()
    await refreshAll(LATER)
    expect(await costs()).toEqual(but('2026-10-01', 5))
    await db.deleteFrom('spend_month').where('origin', '=', 'import').execute()
    await dueNow()
    await refreshAll(LATER)
    expect(await costs()).toEqual(right)

    // After a long downtime the days before are gone; their months are not.
    await db
      .updateTable('spend_account')
      .set({ known_from: '2026-09-10' })
      .where('ad_account', '=', ad_account)
      .execute()
    await db
      .deleteFrom('spend_day')
      .where('ad_account', '=', ad_account)
      .where('day', '<', '2026-09-10')
      .execute()
    await dueNow()
    await refreshAll(LATER)
    expect(await costs()).toEqual(right)
  })

  it('does not ask a platform again for months of which it has nothing any more', async () => {
    const name = 'Aurora Cosmetics Taiwan'
    const { ad_account } = await stateOf(name)
    await db
      .deleteFrom('spend_month')
      .where('ad_account', '=', ad_account)
      .where('month', '<', '2025-10-01')
      .execute()
    await db
      .updateTable('spend_account')
      .set({ next_at: new Date(LATER) })
      .execute()
    const forgetful: Partial<SpendEffects> = {
      sourceOf: async account => {
        const source = await effects(LATER).sourceOf(account)
        return (
          source && {
            ...source,
            async *fetchReport(request, context) {
              if (request.range.start < '2025-04-01') throw new PlatformFailure('history_limit')
              yield* source.fetchReport(request, context)
            },
          }
        )
      },
    }
    await refreshAll(LATER, forgetful)
    const stored = await storedMonths(name)
    const known = Object.fromEntries(stored.map(row => [row.month, row.known]))
    expect(known).toMatchObject({
      '2024-10-01': 'none',
      '2025-03-01': 'none',
      '2025-04-01': 'full',
      '2026-10-01': 'full',
    })
    expect(stored.find(row => row.known === 'none')).toMatchObject({ cost: null, origin: 'platform' })
    expect(await stateOf(name)).toMatchObject({ code: null, failures: 0 })
    await db
      .updateTable('spend_account')
      .set({ next_at: new Date(LATER) })
      .execute()
    await refreshAll(LATER)
    expect(requests.length).toBeGreaterThan(0)
    expect(requests.filter(({ time }) => time === 'month')).toEqual([])
  })
})

describe('a refresh that is cut off', () => {
  const name = 'Aurora Cosmetics Taiwan'
  const due = (now: Instant) =>
    db
      .updateTable('spend_account')
      .set({ next_at: new Date(now), refreshed_at: null })
      .execute()

  it('leaves a claim that expires, and is then repeated by the next process', async () => {
    const before = await storedDays(name)
    await due(LATER)
    const until = new Date(Date.parse(LATER) + 120_000)
    const dead = await claimAccount(db, { claim: randomUUID(), now: new Date(LATER), until })
    requests = []
    while (await refreshNextAccount(db, effects(LATER)));
    expect(requests.map(({ account }) => account.external_id)).not.toContain(dead?.external_id)
    while (await refreshNextAccount(db, effects(LATER, { now: () => until })));
    expect(requests.map(({ account }) => account.external_id)).toContain(dead?.external_id)
    expect(await storedDays(name)).toEqual(before)
  })

  it('while storing leaves every day as it was', async () => {
    const before = await storedDays(name)
    await due(LATER)
    const now = new Date(LATER)
    const account = await claimAccount(db, { claim: randomUUID(), now, until: new Date(now.getTime() + 1) })
    if (!account) throw new Error('none is due')
    const day = { day: TODAY[LATER], cost: 1, impressions: 1, clicks: 1, conversions: 1 }
    const known = { known_from: '2026-11-01', known_to: TODAY[LATER], settled_to: TODAY[LATER] }
    const range = { start: '2026-11-01', end: TODAY[LATER] }
    const state = await db.selectFrom('spend_account').selectAll().orderBy('ad_account').execute()
    // The second row of the same day interrupts it after the old rows are deleted.
    await expect(
      saveDays(db, account, { range, days: [day, day], as_of: now, known, refreshed_at: now, next_at: now }),
    ).rejects.toThrow('spend_day_pkey')
    expect(await storedDays(name)).toEqual(before)
    expect(await db.selectFrom('spend_account').selectAll().orderBy('ad_account').execute()).toEqual(state)
  })

  it('stores nothing once another process has the account', async () => {
    const before = await storedDays(name)
    await due(LATER)
    let taken = 0
    const overtaken = effects(LATER, {
      sourceOf: async () => {
        taken += 1
        await db.updateTable('spend_account').set({ claim: randomUUID() }).execute()
        return {
          ...sources.meta(demoLogins.meta),
          prepare: async () => {},
          async *fetchReport() {
            yield {
              length: 1,
              dates: textColumn([TODAY[LATER]]),
              dimensions: [],
              metrics: [1, 1, 1, 1].map(one => Float64Array.of(one)),
            }
          },
        }
      },
    })
    await refreshNextAccount(db, overtaken)
    expect(taken).toBe(1)
    expect(await storedDays(name)).toEqual(before)
  })
})

describe('runs', () => {
  it('have priority: while one waits for a worker, no account is fetched', async () => {
    await db
      .updateTable('spend_account')
      .set({ next_at: new Date(0), claim: null, claimed_until: null })
      .execute()
    const { id } = await agency.report()
    const run = await agency.queue(id)
    expect(await refreshNextAccount(db, effects(LATER))).toBe(false)
    await db
      .updateTable('run')
      .set({ status: 'cancelled', finished_at: new Date() })
      .where('id', '=', run)
      .execute()
    expect(await refreshNextAccount(db, effects(LATER, { sourceOf: async () => null }))).toBe(true)
  })

  it('have the quota first: a refusal pauses the refresh for as long as it says', async () => {
    await db
      .updateTable('spend_account')
      .set({ next_at: new Date(0), claim: null, claimed_until: null })
      .execute()
    const refuse = async () => {
      throw new PlatformFailure('quota_exhausted', { retry_after_ms: 7_200_000 })
    }
    await refreshNextAccount(db, effects(LATER, { limiter: { acquire: refuse, report: async () => {} } }))
    const { next_at } = await db
      .selectFrom('spend_account')
      .select('next_at')
      .where('code', '=', 'quota_exhausted')
      .executeTakeFirstOrThrow()
    expect(next_at.getTime()).toBeGreaterThanOrEqual(Date.parse(LATER) + 7_200_000)
  })
})
