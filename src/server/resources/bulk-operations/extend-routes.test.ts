import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ReportList } from '#shared/api/reports.ts'
import { todayIn } from '#shared/date-range.ts'
import { scheduleEndOf } from '#shared/schedule-end.ts'
import { testApi } from '#server/http/testing/api.ts'
import { ready as readyFor, reportIn, REPORTS } from '#server/resources/reports/testing/requests.ts'
import { BULK_OPERATIONS, extendIn, undoIn } from './testing/requests.ts'

const api = await testApi()
const PATH = `${BULK_OPERATIONS}extend/`
const day = (days: number, timezone = 'Asia/Taipei') =>
  Temporal.PlainDate.from(todayIn(timezone, api.clock.now)).add({ days }).toString()
const until = (end: string) => ({ date_range: { start: day(-60), end, dynamic_range: 0 } })

async function ready() {
  const me = await readyFor(api)
  const one = async (more: object) => (await me.report({ ...me.body, ...more })).id
  const read = async (id: number) => reportIn(await me.get(`${REPORTS}${id}/`))
  const listed = async (query: string) =>
    ReportList.parse((await me.get(`${REPORTS}?limit=100&${query}`)).body)
      .results.map(({ id }) => id)
      .toSorted()
  return { ...me, one, read, listed }
}

describe('the list of ending reports', () => {
  it('agrees with the rule, in every zone and at every hour', async () => {
    const me = await ready()
    const zones = ['Asia/Taipei', 'America/Los_Angeles', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']
    for (const timezone of zones)
      for (let end = -31; end <= -5; end += 1)
        await me.one({ timezone, ...until(day(end)), update_frequency: end % 7 === 0 ? 0 : 3 })
    const reports = ReportList.parse((await me.get(`${REPORTS}?limit=100`)).body).results
    const more = ReportList.parse((await me.get(`${REPORTS}?limit=100&offset=100`)).body).results
    const before = api.clock.now
    for (const hours of [0, 7, 13, 23]) {
      api.clock.now = new Date(before.getTime() + hours * 3_600_000 - 24 * 3_600_000)
      const states = [...reports, ...more].map(report => ({
        id: report.id,
        state: scheduleEndOf(
          { date_range: report.date_range, update_frequency: report.chosen_frequency },
          todayIn(report.timezone, api.clock.now),
        )?.state,
      }))
      const of = (allowed: (string | undefined)[]) =>
        states
          .filter(({ state }) => allowed.includes(state))
          .map(({ id }) => id)
          .toSorted()
      expect(of(['soon']).length).toBeGreaterThan(15)
      expect(await me.listed('ending=soon')).toEqual(of(['soon']))
      expect(await me.listed('ending=ended')).toEqual(of(['ended']))
      expect(await me.listed('ending=either')).toEqual(of(['soon', 'ended']))
    }
    api.clock.now = before
  })
})

describe('extending reports', () => {
  it('moves their end by months, which restarts an ended one', async () => {
    const me = await ready()
    const [soon, ended] = [await me.one(until(day(-10))), await me.one(until(day(-20)))]
    expect(await me.read(ended)).toMatchObject({ status: 3, update_frequency: 5, next_run_at: null })
    const body = {
      reports: [
        { id: soon, version: 1 },
        { id: ended, version: 1 },
      ],
      by: { months: 1 },
    }
    const dry = extendIn(await me.post(PATH, { ...body, dry_run: true }))
    const done = extendIn(await me.post(PATH, body))
    expect(done.results).toEqual(dry.results)
    expect(dry).toMatchObject({ dry_run: true, deed: null })
    expect(await me.read(ended)).toMatchObject({
      status: 1,
      update_frequency: 2,
      next_run_at: expect.any(String),
      date_range: done.results.find(({ id }) => id === ended)?.date_range,
    })
    expect(await me.listed('ending=either')).toEqual([])
    const undo = undoIn(await me.post(`${BULK_OPERATIONS}${z.uuid().parse(done.deed)}/undo/`))
    expect(undo.results.map(({ status }) => status)).toEqual(['ok', 'ok'])
    expect((await me.read(soon)).date_range.end).toBe(day(-10))
    expect(await me.read(ended)).toMatchObject({ status: 3, date_range: { end: day(-20) } })
  })

  it('makes their range dynamic', async () => {
    const me = await ready()
    const id = await me.one(until(day(-12)))
    const done = extendIn(await me.post(PATH, { reports: [{ id }], by: { dynamic_range: 2 } }))
    expect(done.results[0]?.date_range).toEqual({ start: null, end: null, dynamic_range: 2 })
    expect(await me.read(id)).toMatchObject({ date_range: { dynamic_range: 2 }, status: 1 })
    const again = extendIn(await me.post(PATH, { reports: [{ id }], by: { months: 3 } }))
    expect(again).toMatchObject({
      deed: null,
      results: [{ status: 'refused', problems: [{ path: 'date_range', code: 'range_not_fixed' }] }],
    })
  })

  it('goes no further than any report may', async () => {
    const me = await ready()
    const id = await me.one({ date_range: { start: day(-725), end: day(-13), dynamic_range: 0 } })
    const done = extendIn(await me.post(PATH, { reports: [{ id }], by: { months: 3 } }))
    expect(done.results[0]).toMatchObject({
      status: 'refused',
      code: 'range_too_long',
      problems: [{ path: 'date_range.end', detail: { latest: day(5) } }],
    })
  })
})
