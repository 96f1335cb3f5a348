import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#server/db/connect.ts'
import { spreadsheetsOf } from '#server/demo/spreadsheets.ts'
import { pointedAt } from '../e2e/further-processes.ts'
import { control, type ProductProcess } from '../e2e/product.ts'

const Key = z.object({ client_email: z.string() })
const CREATOR = 'manager@sheetcast.demo'

/** The share of the reports that each owner has: a crowd, and two small ones who must not be starved. */
export const owners = [
  { username: 'manager', part: 0.85 },
  { username: 'director', part: 0.1 },
  { username: 'superuser', part: 0.05 },
] as const

/**
 * Copies of a report of the demo, a spreadsheet each, shuffled over their owners. The days are in the past:
 * today's figures grow while they are requested.
 */
export async function makeReports(db: Db, { sandbox, env }: ProductProcess, size: number): Promise<number[]> {
  const service = spreadsheetsOf({ sheets: sandbox, drive: sandbox }, CREATOR)
  const systemUsers = (pointedAt({ sandbox, env }).google_service_account_file ?? []).map(
    file => Key.parse(JSON.parse(readFileSync(file, 'utf8'))).client_email,
  )
  const systemUserOf = (n: number) => systemUsers[n % systemUsers.length] ?? ''
  const files = await inTens(size, async count => {
    const file = await service.create(`Burst ${count}`, ['Data'])
    await service.share(file, systemUserOf(count), 'writer')
    return file
  })
  await sql`
    insert into spreadsheet_binding (spreadsheet_id, advertiser, proof)
    select file, advertiser.id, 'permission' from unnest(${files}::text[]) as file, advertiser
    where advertiser.name = 'Aurora Cosmetics'`.execute(db)
  // The outcome of the permission check.
  await sql`
    insert into spreadsheet_system_user (spreadsheet_id, address)
    select * from unnest(${files}::text[], ${files.map((_, n) => systemUserOf(n))}::text[])`.execute(db)
  const { rows } = await sql<{ id: number }>`
    insert into report (owner, name, spreadsheet_id, spreadsheet_url, sheet_name, sheet_id, target_state, timezone, header_language,
      arrangement, fill_zero, dimensions, channels, dynamic_range, date_start, date_end, update_frequency, update_time)
    select users.id, 'Burst ' || each.n, each.file, ${`${sandbox}/spreadsheets/d/`}::text || each.file || '/edit', 'Data', 0, 'ok',
      original.timezone, original.header_language, original.arrangement, original.fill_zero, original.dimensions, original.channels,
      0, current_date - 40, current_date - 2, 2, '09:00:00'
    from unnest(${files}::text[], ${files.map((_, n) => ownerOf(n, size))}::text[]) with ordinality as each (file, username, n)
      join users on users.username = each.username
      join report original on original.name = 'Aurora daily performance'
    returning id`.execute(db)
  const ids = rows.map(({ id }) => id)
  await linkAccounts(db, ids)
  return ids
}

/** Copies of the demo's report ask the accounts that it asks. */
export const linkAccounts = (db: Db, copies: readonly number[]) =>
  sql`
    insert into report_account (report, block, ad_account)
    select copy.id, account.block, account.ad_account from report copy, report_account account
      join report original on original.id = account.report and original.name = 'Aurora daily performance'
    where copy.id = any(${[...copies]})`.execute(db)

/** Spread evenly over the burst, so that no owner's reports come first by their age. */
function ownerOf(n: number, size: number): string {
  const at = ((n * 7919) % size) / size
  let sum = 0
  return owners.find(({ part }) => at < (sum += part))?.username ?? owners[0].username
}

async function inTens<T>(size: number, make: (n: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  for (let begin = 0; begin < size; begin += 10)
    made.push(
      ...(await Promise.all(Array.from({ length: Math.min(10, size - begin) }, (_, i) => make(begin + i)))),
    )
  return made
}

/** The sandbox grants this many times the quota, which is the same as a clock that runs so much faster. */
export const hasten = (product: ProductProcess, speed: number) =>
  control(product, 'limits', { body: { quota: { per_user: 60 * speed, per_project: 300 * speed } } })

const Values = z.object({ values: z.array(z.array(z.unknown())).default([]) })

/** How many spreadsheets differ from the majority: all reports are the same. */
export async function countDamaged(db: Db, { sandbox }: ProductProcess, reports: readonly number[]) {
  const { rows } = await sql<{ spreadsheet_id: string }>`
    select spreadsheet_id from report where id = any(${[...reports]})`.execute(db)
  const counts = new Map<string, number>()
  await inTens(rows.length, async n => {
    const url = `${sandbox}/v4/spreadsheets/${rows[n]?.spreadsheet_id}/values/Data`
    const response = await fetch(url, { headers: { authorization: `Bearer sandbox-user:${CREATOR}` } })
    const cells = JSON.stringify(Values.parse(await response.json()).values)
    counts.set(cells, (counts.get(cells) ?? 0) + 1)
  })
  const most = [...counts.entries()].toSorted((a, b) => b[1] - a[1])[0]
  const isEmpty = most === undefined || most[0] === '[]'
  return isEmpty ? rows.length : rows.length - most[1]
}

export async function killed(worker: ChildProcess) {
  worker.kill('SIGKILL')
  await once(worker, 'exit')
}

/**
 * The peak memory of a product's main process and all its worker processes together, in megabytes; null where
 * the system does not report it.
 */
export function watchMemory(pid: number) {
  const peak = { main: 0, runs: 0 }
  const sample = () => {
    peak.main = Math.max(peak.main, residentOf(pid))
    peak.runs = Math.max(
      peak.runs,
      runProcessesOf(pid)
        .map(residentOf)
        .reduce((sum, each) => sum + each, 0),
    )
  }
  const timer = setInterval(sample, 500)
  return () => {
    clearInterval(timer)
    return peak.main === 0 ? null : peak
  }
}

const residentOf = (pid: number | string) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readProc(pid, 'status'))?.[1] ?? 0) / 1024

const runProcessesOf = (pid: number) =>
  readProc(pid, `task/${pid}/children`)
    .split(' ')
    .filter(child => child !== '' && readProc(child, 'cmdline').includes('/workers/'))

/** Nothing for a process that is gone, and on systems without /proc. */
function readProc(pid: number | string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
