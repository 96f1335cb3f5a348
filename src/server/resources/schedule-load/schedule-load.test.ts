import { describe, expect, it } from 'vitest'
import { nextOccurrence } from '#shared/schedule.ts'
import { testApi, type Client } from '#server/http/testing/api.ts'
import { ready as readyFor } from '#server/resources/reports/testing/requests.ts'
import { levelsOf, loadOf, QUARTERS } from './rules.ts'
import { ScheduleLoad } from '#shared/api/schedule-load.ts'

const api = await testApi()
const quarterOf = (time: string) => Number(time.slice(0, 2)) * 4 + Number(time.slice(3, 5)) / 15
const daily = {
  timezone: 'Asia/Taipei',
  update_frequency: 2,
  update_day_of_week: null,
  update_day_of_month: null,
}

describe('how busy a quarter hour is', () => {
  const now = new Date('2026-11-22T03:00:00Z')
  const due = (schedule: Partial<Parameters<typeof nextOccurrence>[0]>, reports = 1) => {
    const whole = { ...daily, update_time: '09:00:00', ...schedule }
    const next_run_at = nextOccurrence(whole, now)
    if (!next_run_at) throw new Error('never')
    return { next_run_at, update_frequency: whole.update_frequency, reports }
  }

  it('counts daily reports of all zones where they fall', () => {
    const load = loadOf(
      [due({}, 1240), due({ timezone: 'Asia/Tokyo' }, 10), due({ timezone: 'America/New_York' }, 5)],
      daily,
    )
    expect(load[quarterOf('09:00')]).toBe(1240)
    expect(load[quarterOf('08:00')]).toBe(10)
    expect(load[quarterOf('22:00')]).toBe(5)
    expect(load.reduce((sum, reports) => sum + reports, 0)).toBe(1255)
  })

  it('counts weekly ones on their own day in full, on the others not, and on any day by probability', () => {
    const mondays = [due({ update_frequency: 3, update_day_of_week: 1 }, 70)]
    const at = (occasion: object) => loadOf(mondays, { ...daily, ...occasion })[quarterOf('09:00')]
    expect(at({ update_frequency: 3, update_day_of_week: 1 })).toBe(70)
    expect(at({ update_frequency: 3, update_day_of_week: 2 })).toBe(0)
    expect(at({})).toBe(10)
    // Monday morning in Taipei is Sunday evening in New York.
    const abroad = { timezone: 'America/New_York', update_frequency: 3, update_day_of_week: 7 }
    expect(loadOf(mondays, { ...daily, ...abroad })[quarterOf('20:00')]).toBe(70)
  })

  it('counts monthly ones on their day, the 31st on the last day of a short month', () => {
    const lasts = [due({ update_frequency: 4, update_day_of_month: 31 }, 304)]
    const at = (occasion: object) => loadOf(lasts, { ...daily, ...occasion })[quarterOf('09:00')]
    expect(at({ update_frequency: 4, update_day_of_month: 31 })).toBe(304)
    expect(at({ update_frequency: 4, update_day_of_month: 1 })).toBe(0)
    expect(at({})).toBe(10)
  })

  it('is busy where many are due together, and never where few are', () => {
    const load = Array.from({ length: QUARTERS }, (_, quarter) => (quarter === 36 ? 1240 : 0))
    expect(levelsOf(load)[36]).toBe(3)
    expect(levelsOf(load)[35]).toBe(0)
    expect(levelsOf(load.map(reports => Math.min(reports, 40)))[36]).toBe(1)
    expect(new Set(levelsOf(load.map(() => 500)))).toEqual(new Set([2]))
  })
})

describe('the route', () => {
  const read = async (client: Client, query: string) => {
    const response = await client.get(`/api/schedule/load/?timezone=Asia/Taipei&${query}`)
    expect(response.status, JSON.stringify(response.body)).toBe(200)
    return ScheduleLoad.parse(response.body).quarters
  }

  it('counts what is scheduled and nothing else, and returns no numbers to clients', async () => {
    const me = await readyFor(api)
    await me.report({ ...me.body, update_time: '09:15:00' })
    await me.report({ ...me.body, update_time: '09:15:00' })
    const { id } = await me.report({ ...me.body, update_time: '09:15:00' })
    await me.delete(`/api/gs-template-setting/${id}/`)
    await me.report({ ...me.body, update_time: '09:15:00', sheet_name: '' })
    await me.report({ ...me.body, update_time: '10:00:00', update_frequency: 3, update_day_of_week: 2 })
    const quarters = await read(me, 'update_frequency=2')
    expect(quarters).toHaveLength(QUARTERS)
    expect(quarters[quarterOf('09:15')]).toEqual({ reports: 2, level: 1 })
    const tuesdays = await read(me, 'update_frequency=3&update_day_of_week=2')
    expect(tuesdays[quarterOf('10:00')]).toEqual({ reports: 1, level: 1 })
    const client = await readyFor(api, 'external_user')
    expect((await read(client, 'update_frequency=2')).every(({ reports }) => reports === null)).toBe(true)
    expect((await me.get('/api/schedule/load/?timezone=Nowhere&update_frequency=2')).status).toBe(400)
  })

  it('reads an index alone, whatever the reports are', async () => {
    const client = await api.pool.connect()
    try {
      await client.query('set enable_seqscan = off')
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain select next_run_at, update_frequency, count(*) from report
         where next_run_at is not null and deleted_at is null group by 1, 2`,
      )
      expect(rows.map(row => row['QUERY PLAN']).join('\n')).toContain(
        'Index Only Scan using report_due_frequency',
      )
    } finally {
      client.release(true)
    }
  })
})
