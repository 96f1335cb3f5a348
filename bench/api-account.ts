import { randomBytes } from 'node:crypto'
import { Kysely, PostgresDialect, type CompiledQuery } from 'kysely'
import type { Pool } from 'pg'
import type { Database } from '#server/db/schema.ts'
import type { AccessClaims } from '#server/http/tokens.ts'
import { createTokens } from '#server/http/tokens.ts'
import { median } from '#server/testing/quantile.ts'
import { serverOver } from './api.ts'
import { scansOf } from './api-scans.ts'
import { seedAccount, type SeededAccount } from './api-account-seed.ts'
import type { BenchTable } from './case.ts'
import { startDatabase } from './database.ts'

// What a person with very many reports waits for, beside the same person with few: same server, same code,
// same requests.

const MANY = { reports: 50_000, folders: 5000 }
const FEW = { reports: 50, folders: 5 }
const ROUNDS = 15
const DEPARTMENTS = { many: 2, few: 3 }

export const tables: BenchTable[] = [
  {
    id: 'P7',
    what: `one account with ${MANY.reports.toLocaleString('en')} reports and ${MANY.folders.toLocaleString('en')} folders, beside one with ${FEW.reports} and ${FEW.folders} (a page ≤ 20 × and ≤ 100 ms; what answers everything is measured per row)`,
    measure,
  },
]

async function measure() {
  const { db, pool, stop } = await startDatabase()
  const seeded = {
    many: await seedAccount(db, { ...MANY, department: DEPARTMENTS.many }),
    few: await seedAccount(db, { ...FEW, department: DEPARTMENTS.few }),
  }
  const key = randomBytes(32)
  const queries: CompiledQuery[] = []
  const logged = new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    log: event => void queries.push(event.query),
  })
  const app = await serverOver(logged, key)
  const ask = async (path: string, claims: AccessClaims) => {
    const token = await createTokens(key).signAccess(claims, new Date())
    const { statusCode, body } = await app.inject({
      url: path,
      headers: { authorization: `Bearer ${token}` },
    })
    if (statusCode !== 200) throw new Error(`${path}: ${body.slice(0, 500)}`)
    return body.length
  }
  const rows: Record<string, string>[] = []
  for (const { what, path, whole, as = 'owner' } of requests) {
    const times = { many: [] as number[], few: [] as number[] }
    let bytes = 0
    for (let round = 0; round < (whole ? 3 : ROUNDS); round++)
      for (const name of ['few', 'many'] as const) {
        const started = performance.now()
        bytes = await ask(path(name === 'many' ? MANY.reports : FEW.reports), seeded[name][as])
        times[name].push(performance.now() - started)
      }
    queries.length = 0
    await ask(path(MANY.reports), seeded.many[as])
    rows.push({
      request: what,
      ...beside(median(times.many), median(times.few), whole ?? false),
      kB: (bytes / 1000).toFixed(0),
      slowest: await slowestOf(pool, queries),
      scans: whole ? '' : await scansOf(pool, queries.filter(isRead)),
    })
  }
  await app.close()
  await stop()
  return rows
}

const list = '/api/gs-template-setting/?limit=10'
const requests: {
  what: string
  path: (reports: number) => string
  whole?: true
  as?: keyof SeededAccount
}[] = [
  { what: 'list, first page', path: () => list },
  {
    what: 'list, last page that can be opened',
    path: reports => `${list}&offset=${Math.min(reports, 10_000) - 10}`,
  },
  { what: 'list by name', path: () => `${list}&ordering=name` },
  { what: 'list by next run', path: () => `${list}&ordering=-next_run_at` },
  { what: 'list by last run', path: () => `${list}&ordering=-last_run_at` },
  { what: 'list by owner', path: () => `${list}&ordering=owner_name` },
  { what: 'top level alone', path: () => `${list}&folder=0` },
  { what: 'search, rare', path: () => `${list}&search=zephyr` },
  { what: 'search, frequent', path: () => `${list}&search=report` },
  { what: 'filter by channel', path: () => `${list}&channel=aw` },
  { what: 'filter by gap', path: () => `${list}&gap=page_not_set` },
  { what: 'filter by status', path: () => `${list}&status=1` },
  { what: 'overview', path: () => '/api/overview/' },
  { what: 'all that need attention', path: () => '/api/overview/attention/?limit=20' },
  { what: 'first steps', path: () => '/api/overview/first-steps/' },
  { what: 'overview by team', path: () => '/api/overview/groups/?by=team', whole: true, as: 'manager' },
  { what: 'overview by client', path: () => '/api/overview/groups/?by=client', whole: true, as: 'manager' },
  { what: 'folders', path: () => '/api/gs-template-folder/', whole: true },
  { what: 'the whole list as CSV', path: () => '/api/gs-template-setting/?format=csv', whole: true },
]

function beside(many: number, few: number, whole: boolean) {
  const isSlow = !whole && (many > 20 * few || many > 100)
  return {
    many: `${many.toFixed(1)} ms`,
    few: `${few.toFixed(1)} ms`,
    ratio: `${(many / few).toFixed(1)}${isSlow ? ' (!)' : ''}`,
  }
}

const isRead = ({ sql }: CompiledQuery) => /^\s*(select|with)/i.test(sql)

/** The slowest statement, by its first words, according to the database. */
async function slowestOf(pool: Pool, queries: readonly CompiledQuery[]): Promise<string> {
  let slowest = { ms: 0, text: '' }
  for (const { sql, parameters } of queries.filter(isRead).slice(0, 8)) {
    const started = performance.now()
    await pool.query(sql, [...parameters])
    const ms = performance.now() - started
    if (ms > slowest.ms) slowest = { ms, text: sql.replaceAll(/\s+/g, ' ').trim().slice(0, 60) }
  }
  return `${slowest.ms.toFixed(1)} ms: ${slowest.text}`
}
