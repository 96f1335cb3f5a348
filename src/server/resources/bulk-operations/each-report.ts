import { mayDo } from '#shared/access.ts'
import type { Trx } from '#server/db/transaction.ts'
import type { ReportResult } from '#shared/api/bulk-operations.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { accessOf } from '#server/resources/reports/present.ts'
import type { ReportRow } from '#server/resources/reports/queries.ts'
import { visibleReports } from '#server/resources/reports/visible.ts'
import { lockReports } from './queries.ts'

interface Options {
  user: SignedInUser
  dry_run: boolean
  /** The access that the action needs. */
  action: 'change' | 'copy' | 'delete'
}

/** Reports, and the versions that the client has read. */
export type Requested = readonly { id: number; version?: number | undefined }[]

/**
 * Applies an action to each report, by the rules for a single one. A refusal is thrown before anything is
 * written, so the others go on in the same transaction; a dry run calls the same `act`, which then writes
 * nothing.
 */
export async function eachReport<More extends object>(
  trx: Trx,
  requested: Requested,
  { user, dry_run, action, nothing }: Options & { nothing: More },
  act: (row: ReportRow) => Promise<More>,
): Promise<(ReportResult & More)[]> {
  const versions = new Map(requested.map(({ id, version }) => [id, version]))
  const ids = [...versions.keys()].toSorted((a, b) => a - b)
  if (!dry_run && action !== 'copy') await lockReports(trx, ids)
  const rows = new Map((await visibleReports(trx, user, ids)).map(row => [row.id, row]))
  const results = []
  for (const id of ids) {
    const row = rows.get(id)
    const access = row ? accessOf(user, row) : null
    if (!row || !access) {
      results.push({ id, ...unknown, ...refused('not_found'), ...nothing })
      continue
    }
    const facts = { id, name: row.name, owner_name: row.owner_name, version: row.version }
    const expected = versions.get(id)
    if (!mayDo(access, action)) results.push({ ...facts, ...refused('forbidden'), ...nothing })
    else if (expected !== undefined && expected !== row.version)
      results.push({ ...facts, ...refused('conflict'), ...nothing })
    else results.push({ ...facts, ...(await outcomeOf(() => act(row), nothing)) })
  }
  return results
}

const unknown = { name: '', owner_name: '', version: null }

const refused = (code: string, problems: ReportResult['problems'] = []) => ({
  status: 'refused' as const,
  code,
  problems,
})

async function outcomeOf<More extends object>(act: () => Promise<More>, nothing: More) {
  try {
    return { status: 'ok' as const, code: null, problems: [], ...(await act()) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...refused(error.code, problemsOf(error)), ...nothing }
  }
}

const problemsOf = ({ facts }: Refusal): ReportResult['problems'] =>
  Object.entries(facts.fields ?? {}).flatMap(([path, problems]) =>
    problems.map(problem =>
      typeof problem === 'string' ? { path, code: problem, detail: {} } : { path, ...problem },
    ),
  )
