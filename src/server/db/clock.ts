import type { Pool } from 'pg'

const POLL_MS = 10_000

export interface Clock {
  now: () => Date
  stop: () => void
}

/**
 * The database's clock as this process knows it: read regularly, and extrapolated in between by a monotonic
 * counter. So all processes have one time, however wrong the clocks of their machines are.
 */
export async function openClock(pool: Pool): Promise<Clock> {
  let { ahead_ms } = await compare(pool)
  const poll = async () => {
    const offset = await compare(pool)
    // The duration of the query itself says nothing.
    if (Math.abs(offset.ahead_ms - ahead_ms) > offset.took_ms) ahead_ms = offset.ahead_ms
  }
  // While the database is away the counter goes on.
  const timer = setInterval(() => void poll().catch(() => undefined), POLL_MS).unref()
  return {
    now: () => new Date(performance.now() + ahead_ms),
    stop: () => clearInterval(timer),
  }
}

/** How far the database's clock is ahead of this process's counter. */
async function compare(pool: Pool) {
  const sentAt = performance.now()
  const { rows } = await pool.query<{ at: number }>(
    `select extract(epoch from clock_timestamp())::float8 * 1000 as at`,
  )
  const took_ms = performance.now() - sentAt
  return { ahead_ms: (rows[0]?.at ?? Date.now()) - sentAt - took_ms / 2, took_ms }
}
