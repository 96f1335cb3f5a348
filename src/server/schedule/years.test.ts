import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { nextOccurrence } from '#shared/schedule.ts'
import { testDatabase } from '#server/db/testing/database.ts'
import { SEED, randomOf } from '#server/testing/random.ts'
import { insertReport } from '#server/resources/runs/testing/reports.ts'
import { dispatchDue } from './dispatch.ts'

/**
 * Years of mornings in a few seconds: two schedulers with clocks that disagree poll at random instants, are
 * down for hours and days, and their runs end at random; people move reports to other time zones. Every
 * occurrence, computed independently of the calculation under test, must be covered by exactly one run.
 */
const { db } = await testDatabase()

const DAY = 24 * 3600_000
// The short form sees the clock changes of one spring.
const [BEGIN, END] = process.env.LONG
  ? [Date.UTC(2026, 0, 1), Date.UTC(2031, 0, 1)]
  : [Date.UTC(2026, 1, 10), Date.UTC(2026, 3, 12)]

const zones = process.env.LONG
  ? Intl.supportedValuesOf('timeZone')
  : [
      'Asia/Taipei',
      'America/New_York',
      'Europe/Dublin',
      'Australia/Lord_Howe',
      'Africa/Casablanca',
      'America/St_Johns',
      'Pacific/Chatham',
      'Asia/Kathmandu',
    ]

interface Schedule {
  zone: string
  /** Minutes of the day. */
  time: number
  kind: { every: 'day' } | { every: 'week'; day: number } | { every: 'month'; day: number }
}

const schedules: Schedule[] = zones.flatMap((zone, index): Schedule[] => [
  { zone, time: [120, 150, 540, 0][index % 4] ?? 540, kind: { every: 'day' } },
  { zone, time: 540, kind: { every: 'week', day: (index % 7) + 1 } },
  { zone, time: 1425, kind: { every: 'month', day: [31, 29, 30, 1][index % 4] ?? 31 } },
])

describe('the mornings of years', () => {
  it('are neither missed nor doubled by schedulers that die and disagree', async () => {
    const random = randomOf(SEED)
    const reports = []
    for (const schedule of schedules) reports.push(await insert(schedule))
    /** The schedule of each, and its start. */
    const histories = schedules.map(schedule => [{ from: BEGIN, schedule }])
    const started = new Map<string, number>()
    let now = BEGIN
    let last_poll = BEGIN
    while (now < END) {
      now += random() < 0.03 ? Math.floor(random() * 4 * DAY) : Math.floor(random() * 5 * 3600_000)
      // A clock that is a few seconds behind has dispatched less, never more.
      const clocks = [now, now - Math.floor(random() * 5000)]
      await Promise.all(clocks.map(at => poll(at, started)))
      last_poll = now
      await endSome(random)
      const mover = Math.floor(random() * reports.length)
      const zone = zones[Math.floor(random() * zones.length)] ?? ''
      const [report, history] = [reports[mover], histories[mover]]
      const schedule = history?.at(-1)?.schedule
      if (report !== undefined && schedule && random() < 0.2 && (await move(report, zone, now)))
        history?.push({ from: now, schedule: { ...schedule, zone } })
    }
    await sql`update run set status = 'completed'`.execute(db)
    await poll(last_poll, started)

    const { rows: runs } = await sql<{ id: string; report: number; due_at: Date }>`
      select id, report, due_at from run order by due_at`.execute(db)
    let covered = 0
    for (const [index, report] of reports.entries()) {
      const history = histories[index] ?? []
      const expected = history.flatMap(({ from, schedule }, at) =>
        occurrencesOf(schedule, from, history[at + 1]?.from ?? last_poll),
      )
      const spans = runs
        .filter(run => run.report === report)
        .map(run => ({ from: run.due_at.getTime(), to: started.get(run.id) ?? 0 }))
      const name = JSON.stringify(history)
      // Each run is due at an occurrence, and covers those that were missed up to its beginning.
      expect(
        spans.filter(({ from }) => !expected.includes(from)),
        name,
      ).toEqual([])
      for (const at of expected)
        expect(
          spans.filter(({ from, to }) => from <= at && at <= to).length,
          `${name} ${new Date(at).toISOString()}`,
        ).toBe(1)
      covered += expected.length
    }
    expect(covered).toBeGreaterThan(schedules.length * 3)
    console.log(
      `${covered.toLocaleString('en')} occurrences of ${schedules.length} schedules, ${runs.length.toLocaleString('en')} runs`,
    )
  })
})

async function insert({ zone, time, kind }: Schedule): Promise<number> {
  const { report } = await insertReport(db, {
    timezone: zone,
    update_time: `${String(Math.floor(time / 60)).padStart(2, '0')}:${String(time % 60).padStart(2, '0')}:00`,
    update_frequency: { day: 2, week: 3, month: 4 }[kind.every],
    update_day_of_week: kind.every === 'week' ? kind.day : null,
    update_day_of_month: kind.every === 'month' ? kind.day : null,
    next_run_at: new Date(occurrencesOf({ zone, time, kind }, BEGIN, BEGIN + 40 * DAY)[0] ?? BEGIN),
  })
  return report
}

/** As its editor does it; not while an occurrence is still to begin, which the new schedule would drop. */
async function move(id: number, timezone: string, at: number): Promise<boolean> {
  const before = await db.selectFrom('report').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const now = new Date(at)
  if (before.next_run_at === null || before.next_run_at <= now || before.timezone === timezone) return false
  const next_run_at = nextOccurrence({ ...before, timezone }, now)
  await db.updateTable('report').set({ timezone, next_run_at }).where('id', '=', id).execute()
  return true
}

async function poll(at: number, started: Map<string, number>) {
  await dispatchDue({
    db,
    isReady: sql`true`,
    notifyEnded: async () => {},
    now: () => new Date(at),
    enqueue: async (_, run_ids) => {
      for (const id of run_ids) started.set(id, at)
    },
    onUnexpected: error => {
      throw error
    },
  })
}

/** Most runs end soon, some are still in progress when the next occurrence comes. */
async function endSome(random: () => number) {
  if (random() < 0.85) await sql`update run set status = 'completed' where status = 'queued'`.execute(db)
}

/**
 * Every instant after `from`, up to and with `to`, at which the schedule is due: by the formatter, not by the
 * calculation under test.
 */
function occurrencesOf({ zone, time, kind }: Schedule, from: number, to: number): number[] {
  const found: number[] = []
  for (let day = from - 2 * DAY - (from % DAY); day <= to + 2 * DAY; day += DAY) {
    const date = new Date(day)
    const weekday = date.getUTCDay() || 7
    const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
    const is_due =
      kind.every === 'day' ||
      (kind.every === 'week' ? weekday === kind.day : date.getUTCDate() === Math.min(kind.day, last))
    if (!is_due) continue
    const at = instantOf(zone, day + time * 60_000)
    if (at > from && at <= to) found.push(at)
  }
  return found
}

/**
 * The first instant with this wall-clock time; where none has it, as far behind the gap as the time lies
 * inside it.
 */
function instantOf(zone: string, wall: number): number {
  const before = offsetAt(zone, wall - DAY)
  const after = offsetAt(zone, wall + DAY)
  const candidates = [wall - before, wall - after].filter(at => at + offsetAt(zone, at) === wall)
  return candidates.length > 0 ? Math.min(...candidates) : wall - before
}

const formats = new Map<string, Intl.DateTimeFormat>()

function offsetAt(zone: string, at: number): number {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    })
  formats.set(zone, format)
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = (format.format(at).match(/\d+/g) ?? []).map(
    Number,
  )
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(at / 60_000) * 60_000
}
