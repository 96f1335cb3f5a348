import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import {
  filterFields,
  type Channel,
  type Filter,
  type PlatformDimension,
} from '#shared/channels/catalogue.ts'
import { filterTest } from '#shared/filter.ts'
import { drawn } from '#server/testing/random.ts'
import {
  PlatformFailure,
  type AccountRef,
  type PlatformErrorCode,
  type ReportRequest,
  type Source,
  type TimeGrain,
  type ConnectorContext,
} from '#server/connectors/connector.ts'
import { fetchPages, inOrder, keyOf, rowsOf, summed, type RequestFields } from './context.ts'

/** What the suite has to know of a platform's sandbox. */
export interface SandboxFacts {
  /** The connector with a login that sees `account`. */
  source: Source
  /** What the connector may touch, made anew for each test. */
  context: () => ConnectorContext
  channel: Channel
  /** Texts that may appear nowhere but on the wire. */
  secrets: string[]
  /** An ordinary account with delivery on every day of `range`, in several entities. */
  account: AccountRef
  /** Five weeks or more over the end of a month, beginning amid a week. */
  range: { start: string; end: string }
  /** Metrics that add up over days, entities and breakdowns. */
  additive: string[]
  /** Metrics that do not, but can be requested beside `dimensions`. */
  single: string[]
  /** Sets of dimensions to request; three weeks by the first one take several pages. */
  dimensions: [PlatformDimension[], ...PlatformDimension[][]]
  filters: Filter[]
  /**
   * How many requests may already be under way when a reader leaves; 2 when left out (this page and the
   * next).
   */
  requests_ahead?: number
  /** Arms one fault for requests after the first `skip`; for `count` of them, or for good. */
  arm: (fault: object, when?: { skip?: number; count?: number }) => Promise<void>
  /** Faults that last, and how a report that meets them ends. */
  permanent: { name: string; fault: object; code: PlatformErrorCode }[]
  /** Faults that pass: one of them anywhere changes no row. */
  transient: { name: string; fault: object }[]
}

/** What every connector must do, whatever the platform. */
export function describeConformance(platform: string, facts: () => SandboxFacts): void {
  const ask = async (fields: Partial<RequestFields> = {}, context = facts().context()) =>
    rowsOf(fetchPages(facts().source, requestOf(facts(), fields), context))

  describe(`${platform}, as every connector`, () => {
    it('lists accounts as it finds them when it checks one', async () => {
      const { source, account, context } = facts()
      const listed = (await Array.fromAsync(source.listAccounts(context()))).flat()
      expect(listed.filter(each => each.external_id === account.external_id)).toEqual([
        await source.checkAccount(account, context()),
      ])
    })

    it('says the same twice', async () => {
      expect(await ask()).toEqual(await ask())
    })

    it('yields each slice and combination once, within the range', async () => {
      const { range, dimensions } = facts()
      for (const each of drawn(dimensions, 6, `${platform} slices`)) {
        const rows = await ask({ dimensions: each })
        expect(rows.length).toBeGreaterThan(0)
        expect(new Set(rows.map(keyOf)).size).toBe(rows.length)
        expect(rows.filter(({ date }) => date < range.start || date > range.end)).toEqual([])
      }
    })

    it('yields no row without activity, at whatever grain', async () => {
      const { additive: metrics, dimensions } = facts()
      for (const time of ['total', 'date', 'month'] as const) {
        const rows = await ask({ metrics, time, dimensions: dimensions[0] })
        expect(rows.length, time).toBeGreaterThan(0)
        expect(
          rows.filter(({ values }) => !values.some(value => Math.abs(value) > 0)),
          time,
        ).toEqual([])
      }
    })

    it('says the same of a range in parts', async () => {
      const { range, additive, single } = facts()
      const metrics = [...additive, ...single]
      const whole = await ask({ metrics })
      for (const days of drawn([1, 9, 20], 3, platform)) {
        const second = Temporal.PlainDate.from(range.start).add({ days })
        const parts = [
          await ask({ metrics, range: { start: range.start, end: second.subtract({ days: 1 }).toString() } }),
          await ask({ metrics, range: { start: second.toString(), end: range.end } }),
        ]
        expect(inOrder(parts.flat())).toEqual(whole)
      }
    })

    it('adds days up by each slice of time', async () => {
      const { range, additive: metrics } = facts()
      const days = await ask({ metrics })
      for (const time of drawn(['total', 'week', 'month', 'month_week'] as const, 2, `${platform} times`)) {
        const slices = await ask({ metrics, time })
        const start = (day: string) => sliceStart(day, time, range.start)
        const expected = summed(days, row => keyOf({ ...row, date: start(row.date) }))
        expect(summed(slices, keyOf), time).toEqual(expected)
      }
    })

    it('adds up to the same whatever the dimensions', async () => {
      const { additive: metrics, dimensions } = facts()
      const [total] = await ask({ metrics, dimensions: [], time: 'total' })
      for (const each of drawn(dimensions, 6, `${platform} sums`)) {
        const rows = await ask({ metrics, dimensions: each })
        expect(summed(rows, () => 'all')).toEqual({ all: total?.values })
      }
    })

    it('never loses a row to a filter', async () => {
      for (const filter of drawn(facts().filters, 6, platform)) {
        const { of } = filterFields[filter.field]
        if (of === 'account') continue
        const dimensions = [of]
        const passes = filterTest(filter)
        const expected = (await ask({ dimensions })).filter(({ labels: [label] }) => passes(label ?? ''))
        const found = (await ask({ dimensions, filters: [filter] })).filter(({ labels: [label] }) =>
          passes(label ?? ''),
        )
        expect(found, inspect(filter)).toEqual(expected)
      }
    })

    it('ends each fault in its code, and reveals no secret', async () => {
      const { arm, permanent, secrets } = facts()
      const ends: Record<string, string> = {}
      for (const { name, fault } of permanent) {
        await arm(fault)
        const failure: unknown = await ask().catch((error: unknown) => error)
        ends[name] = failure instanceof PlatformFailure ? failure.code : inspect(failure)
        const text = inspect(failure, { depth: 10, showHidden: true })
        expect(
          secrets.filter(secret => text.includes(secret)),
          name,
        ).toEqual([])
      }
      expect(ends).toEqual(Object.fromEntries(permanent.map(({ name, code }) => [name, code])))
    })

    it('gives the same rows with a transient fault at any of its requests', async () => {
      const { arm, transient, context, range } = facts()
      const weeks = {
        start: range.start,
        end: Temporal.PlainDate.from(range.start).add({ days: 20 }).toString(),
      }
      const counted = countingContext(context())
      const undisturbed = await ask({ range: weeks }, counted.context)
      expect(counted.count()).toBeGreaterThan(2)
      for (const { name, fault } of transient) {
        for (const skip of drawn([...Array(counted.count()).keys()], 6, `${platform} ${name}`)) {
          await arm(fault, { skip, count: 1 })
          expect(await ask({ range: weeks }), `${name} at request ${skip}`).toEqual(undisturbed)
        }
      }
    })

    it('acquires a permit for each request and reports each response to the limiter', async () => {
      const counted = countingContext(facts().context())
      const calls = { acquire: 0, report: 0 }
      const limiter = {
        acquire: async () => void calls.acquire++,
        report: async () => void calls.report++,
      }
      await ask({}, { ...counted.context, limiter })
      expect(calls.acquire).toBeGreaterThanOrEqual(counted.count())
      expect(calls.report).toBeGreaterThanOrEqual(counted.count())
    })

    it('sends nothing more when the run is cancelled', async () => {
      const stop = new AbortController()
      const counted = countingContext({ ...facts().context(), signal: stop.signal })
      const pages = fetchPages(facts().source, requestOf(facts(), {}), counted.context)
      const reading = (async () => {
        for await (const _ of pages) stop.abort()
      })()
      await expect(reading).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
      expect(counted.count()).toBeLessThanOrEqual(facts().requests_ahead ?? 2)
    })

    it('sends nothing more after its reader has left', async () => {
      const counted = countingContext(facts().context())
      for await (const _ of fetchPages(facts().source, requestOf(facts(), {}), counted.context)) break
      expect(counted.count()).toBeLessThanOrEqual(facts().requests_ahead ?? 2)
    })
  })
}

function requestOf(facts: SandboxFacts, fields: Partial<RequestFields>): ReportRequest {
  return {
    channel: facts.channel,
    account: facts.account,
    range: facts.range,
    time: 'date',
    dimensions: facts.dimensions[0],
    metrics: facts.additive,
    filters: [],
    ...fields,
  }
}

function countingContext(context: ConnectorContext): { context: ConnectorContext; count: () => number } {
  let requests = 0
  const counting: ConnectorContext['fetch'] = (...request) => {
    requests += 1
    return context.fetch(...request)
  }
  return { context: { ...context, fetch: counting }, count: () => requests }
}

/** The first day of a day's slice, worked out day by day and without the connector. */
function sliceStart(day: string, time: TimeGrain, first: string): string {
  const date = Temporal.PlainDate.from(day)
  const monday = date.subtract({ days: date.dayOfWeek - 1 }).toString()
  const month = `${day.slice(0, 7)}-01`
  const start = { total: first, date: day, week: monday, month, month_week: monday > month ? monday : month }[
    time
  ]
  return start > first ? start : first
}
