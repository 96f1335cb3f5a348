import { beginEvery } from '#server/admission/run-times.ts'
import type { QueuePosition } from '#server/admission/why-waiting.ts'

/**
 * A burst of runs on a simulated clock: workers that fetch, the waitlist of the spreadsheet service and its
 * minute, computed independently of the product's own statements.
 */
export interface Burst {
  runs: number
  workers: number
  /** Median of the times that runs take to fetch. */
  fetch_ms: number
  write_ms: number
  random: () => number
}

interface Member {
  phase: 'new' | 'fetching' | 'resting' | 'back' | 'writing' | 'done'
  fetch_ms: number
  write_ms: number
  began_at: number
  since: number
  until: number
  waitlist_until: number
}

const STEP_MS = 1000
const TICK_MS = 50
/** Workers have claimed the first ones by then. */
const FIRST_LOOK_MS = 2000
const BEGIN = Date.UTC(2026, 10, 20, 1)

/**
 * Simulates the burst to its end; every `look_ms` the position of each unfinished run is read. Returns when
 * each had ended, in milliseconds from the beginning.
 */
export function playBurst(
  { runs, workers, random, ...usual }: Burst,
  reading_ms: number,
  onReading: (at: number, positions: (QueuePosition | null)[]) => void,
): number[] {
  const around = (median: number) => median * Math.exp((random() + random() + random() - 1.5) * 1.2)
  // How long yesterday's hundred took.
  const before = Array.from({ length: 100 }, () => around(usual.fetch_ms) + around(usual.write_ms))
  const lately = { ...usual, work_ms: before.reduce((sum, ms) => sum + ms, 0) / before.length }
  const members = Array.from({ length: runs }, (): Member => ({
    phase: 'new',
    fetch_ms: around(usual.fetch_ms),
    write_ms: around(usual.write_ms),
    began_at: 0,
    since: 0,
    until: 0,
    waitlist_until: 0,
  }))
  const ends: number[] = Array(runs).fill(0)
  const sent: number[] = []
  let next_at = -15 * STEP_MS
  let free = workers
  const mayWrite = (now: number) => sent.length < 60 || now - (sent.at(-60) ?? 0) >= 61_000
  const write = (each: Member, now: number) => {
    sent.push(now)
    Object.assign(each, { phase: 'writing', since: now, until: now + each.write_ms })
  }
  for (let now = 0; members.some(({ phase }) => phase !== 'done'); now += TICK_MS) {
    if (now % reading_ms === FIRST_LOOK_MS)
      onReading(now, positionsOf(members, { now, next_at, usual: lately }))
    for (const [index, each] of members.entries()) {
      if (each.until > now) continue
      if (each.phase === 'writing') {
        each.phase = 'done'
        ends[index] = now
        free++
      } else if (each.phase === 'fetching') {
        const position = Math.max(next_at, now - 15 * STEP_MS)
        next_at = position + STEP_MS
        Object.assign(each, { phase: 'resting', since: now, waitlist_until: Math.max(position, now) })
        free++
      }
    }
    for (const each of members)
      if (each.phase === 'resting' && each.waitlist_until <= now) each.phase = 'back'
    // Resumed runs go before new ones.
    const back = members.filter(({ phase }) => phase === 'back')
    for (const each of back.toSorted((one, other) => one.waitlist_until - other.waitlist_until)) {
      if (free === 0 || !mayWrite(now)) break
      free--
      write(each, now)
    }
    for (const each of members) {
      if (free === 0) break
      if (each.phase !== 'new') continue
      free--
      Object.assign(each, { phase: 'fetching', began_at: now, since: now, until: now + each.fetch_ms })
    }
  }
  return ends
}

interface Sight {
  now: number
  next_at: number
  usual: { fetch_ms: number; write_ms: number; work_ms: number }
}

/** The rows that the product would have in the database. */
function positionsOf(members: readonly Member[], { now, next_at, usual }: Sight): (QueuePosition | null)[] {
  const resting = members
    .filter(({ phase }) => phase === 'resting')
    .map(({ waitlist_until }) => waitlist_until)
  const reserved = resting.toSorted((one, other) => one - other)
  const measured_ms = Math.min(180_000, now)
  const started = members.filter(
    ({ phase, began_at }) => phase !== 'new' && began_at > now - measured_ms,
  ).length
  const active = members.filter(({ phase }) => phase === 'fetching' || phase === 'writing').length
  const at = (ms: number) => new Date(BEGIN + ms)
  let ahead = 0
  return members.map(member => {
    const { phase, since, waitlist_until } = member
    if (phase === 'done') return null
    const is_in_it = phase === 'resting'
    return {
      now: at(now),
      status: phase === 'fetching' || phase === 'writing' ? phase : 'queued',
      why: is_in_it || phase === 'back' ? 'quota' : null,
      has_table: phase !== 'new' && phase !== 'fetching',
      since: at(since),
      resumes_at: is_in_it || phase === 'back' ? at(waitlist_until) : null,
      ahead: phase === 'new' ? ahead++ : null,
      is_past_waitlist: phase === 'writing' || phase === 'back',
      paused_until: null,
      waitlist: {
        is_in_it,
        waiting: reserved.length - (is_in_it ? 1 : 0),
        before: is_in_it ? reserved.indexOf(waitlist_until) : reserved.length,
        first_at: reserved[0] === undefined ? null : at(reserved[0]),
        next_at: at(Math.max(next_at, now - 15 * STEP_MS)),
        step_ms: STEP_MS,
        waitlists: 1,
      },
      times: {
        fetch_ms: usual.fetch_ms,
        write_ms: usual.write_ms,
        begin_every_ms: beginEvery({ started, within_ms: measured_ms, active, work_ms: usual.work_ms }),
      },
    }
  })
}
