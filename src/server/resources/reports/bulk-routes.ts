import { mayDo } from '#shared/access.ts'
import type { Trx } from '#server/db/transaction.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { BulkOutcome, BulkReports } from '#shared/api/reports.ts'
import { Refusal, refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { accessOf } from './present.ts'
import { moveToFolder } from './queries.ts'
import {
  fileReport,
  noteAction,
  refuseForeignFolder,
  removeReport,
  reportFor,
  REPORTS,
  restoreReport,
} from './routes.ts'
import { copyReport, shareAgain, shareReport, unshareReport, type Copying } from './sharing-routes.ts'

const bulk = route('POST', `${REPORTS}bulk/`, {
  summary: 'Move, copy, delete, restore, share or unshare many reports, with an outcome per report.',
  level: 'external_user',
  body: BulkReports,
  reply: BulkOutcome,
  async run({ body: { ids, ...requested }, user, db, now, effects: { settings } }) {
    if (requested.action.includes('share') && requested.user === undefined)
      throw refuse('invalid', { fields: { user: ['field_required'] } })
    const results = []
    // In one order for everybody, so that two selections never deadlock.
    for (const id of [...new Set(ids)].toSorted((a, b) => a - b)) {
      results.push(await outcomeOf(id, () => actOnOne(db, id, { requested, user, now, settings })))
    }
    return { results }
  },
})

/**
 * A refusal is thrown before anything is written, so the others of the selection go on in the same
 * transaction.
 */
async function outcomeOf(id: number, act: () => Promise<Partial<typeof nothing>>) {
  try {
    return { id, status: 'ok' as const, code: null, ...nothing, ...(await act()) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { id, status: 'refused' as const, code: reasonOf(error), ...nothing }
  }
}

/** What an action returns beside its outcome, if anything. */
const nothing = { copy: null as number | null, access_before: null as 'viewer' | 'editor' | null }

/** The problem of the field is more specific than "invalid". */
function reasonOf({ code, facts }: Refusal): ErrorCode {
  const [problem = code] = Object.values(facts.fields ?? {}).flat()
  return typeof problem === 'string' ? problem : problem.code
}

async function actOnOne(
  trx: Trx,
  id: number,
  { requested, ...acting }: Acting & { requested: Omit<BulkReports, 'ids'> },
): Promise<Partial<typeof nothing>> {
  const { action, folder, to_user, user = 0, access = 'viewer' } = requested
  if (action === 'copy') return { copy: await copyReport(trx, id, { folder, to_user, ...acting }) }
  if (action === 'move') await moveReport(trx, id, { folder: folder ?? null, ...acting })
  else if (action === 'delete') await removeReport(trx, id, acting)
  else if (action === 'restore') await restoreReport(trx, id, acting)
  else {
    const sharing = { user, sharer: acting.user, now: acting.now }
    if (action === 'share') return { access_before: await shareReport(trx, id, { ...sharing, access }) }
    if (action === 'share_again') await shareAgain(trx, id, sharing)
    else await unshareReport(trx, id, sharing)
  }
  return {}
}

type Acting = Omit<Copying, 'folder' | 'to_user'>

async function moveReport(
  trx: Trx,
  id: number,
  { folder, user, now }: { folder: number | null; user: SignedInUser; now: Date },
): Promise<void> {
  const { report, row } = await reportFor(trx, id, { user, action: 'see' })
  const access = accessOf(user, row) ?? 'viewer'
  if (mayDo(access, 'file')) {
    await fileReport(trx, row, { folder, user, now })
    return
  }
  await refuseForeignFolder(trx, report.owner, folder)
  const changes = await moveToFolder(trx, report, { folder, now })
  await noteAction(trx, id, { actor: user, action: 'move', detail: { name: report.name, changes }, now })
}

export const bulkRoutes = [bulk]
