import type { Transaction } from 'kysely'
import { z } from 'zod'
import { isInternal, mayDo } from '#shared/access.ts'
import { IdText } from '#shared/api/list.ts'
import { BulkOutcome, BulkReports, CopyReport, Report, Share, ShareReport } from '#shared/api/reports.ts'
import type { Db } from '#server/db/connect.ts'
import type { Database } from '#server/db/schema.ts'
import type { ApiSettings } from '#server/http/effects.ts'
import { Refusal, refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { advertisersOf, readPerson, visiblePeople } from '#server/resources/people/queries.ts'
import { usableAccounts } from '#server/resources/runs/access.ts'
import { accessOf } from './present.ts'
import { deleteShare, fileShare, listShares, moveToFolder, upsertShare, type ReportTable } from './queries.ts'
import {
  refuseStrangeFolder,
  removeReport,
  reportFor,
  ReportPath,
  REPORTS,
  restoreReport,
  showReport,
} from './routes.ts'
import { copyName } from './rules.ts'
import { createReport, draftOf } from './save.ts'

type Trx = Transaction<Database>
const ShareList = z.array(Share)

const listSharing = route('GET', `${REPORTS}:id/share/`, {
  summary: 'With whom a report is shared.',
  level: 'external_user',
  params: ReportPath,
  reply: ShareList,
  async run({ params: { id }, user, db }) {
    await reportFor(db, id, { user, action: 'share' })
    return await sharesOf(db, id)
  },
})

const share = route('POST', `${REPORTS}:id/share/`, {
  summary: 'Share a report as viewer (see, run, copy) or editor (also change).',
  level: 'external_user',
  params: ReportPath,
  body: ShareReport,
  reply: ShareList,
  status: 201,
  async run({ params: { id }, body, user, db, now }) {
    const { report } = await reportFor(db, id, { user, action: 'share' })
    await refuseRecipient(db, report, { user, recipient: body.user })
    await upsertShare(db, { report: id, user_id: body.user, access: body.access, shared_by: user.id }, now)
    await writeAudit(
      db,
      { actor: user.id, action: 'report.share', object: 'report', object_id: id, detail: body },
      now,
    )
    return await sharesOf(db, id)
  },
})

const unshare = route('DELETE', `${REPORTS}:id/share/:user_id/`, {
  summary: 'End a sharing; whoever it was shared with may end it too.',
  level: 'external_user',
  params: ReportPath.extend({ user_id: IdText }),
  async run({ params: { id, user_id }, user, db, now }) {
    await reportFor(db, id, { user, action: user_id === user.id ? 'see' : 'share' })
    if (!(await deleteShare(db, id, user_id))) throw refuse('not_found')
    const detail = { user: user_id }
    await writeAudit(
      db,
      { actor: user.id, action: 'report.unshare', object: 'report', object_id: id, detail },
      now,
    )
  },
})

const copy = route('POST', `${REPORTS}:id/copy/`, {
  summary: 'Copy a report: no schedule, no tab. With `to_user` the copy is theirs.',
  level: 'external_user',
  params: ReportPath,
  body: CopyReport,
  reply: Report,
  status: 201,
  async run({ params: { id }, body, user, db, now, effects: { settings } }) {
    const copied = await copyReport(db, id, { ...body, user, now, settings })
    // Whoever sends a copy away does not see it; they are answered what they have sent.
    const seen_by = body.to_user === undefined ? user : { ...user, id: body.to_user }
    return await showReport(db, copied, { user: seen_by, now })
  },
})

interface Copying {
  folder?: number | null | undefined
  to_user?: number | undefined
  user: SignedInUser
  now: Date
  settings: ApiSettings
}

async function copyReport(
  trx: Trx,
  id: number,
  { folder, to_user, user, now, settings }: Copying,
): Promise<number> {
  const { report, row } = await reportFor(trx, id, { user, action: 'copy' })
  const owner = to_user ?? user.id
  if (owner !== user.id) await refuseRecipient(trx, report, { user, recipient: owner, field: 'to_user' })
  const place = folder === undefined && owner === report.owner ? row.seen_folder : (folder ?? null)
  await refuseStrangeFolder(trx, owner, place)
  const draft = {
    ...draftOf(report),
    name: copyName(report.name),
    // Two reports never silently write to one place.
    sheet_name: '',
    update_frequency: 0,
    channels: await usableChannels(trx, report, { owner, user }),
  }
  const copied = await createReport(trx, draft, {
    folder: place,
    owner,
    editor: user,
    copied_by: user.id,
    saved_range: draft.date_range,
    settings,
    now,
  })
  const detail = { from: id, to_user: owner }
  await writeAudit(
    trx,
    { actor: user.id, action: 'report.copy', object: 'report', object_id: copied, detail },
    now,
  )
  return copied
}

/** Without the accounts that the new owner or the copier may not use: a copy opens nothing. */
async function usableChannels(
  trx: Trx,
  report: ReportTable,
  { owner, user }: { owner: number; user: SignedInUser },
) {
  const ids = report.channels.flatMap(block => block.accounts)
  const allowed = await Promise.all(
    [await readPerson(trx, owner), user].map(async person => {
      const advertisers = person ? await advertisersOf(trx, person) : []
      const accounts = person ? await usableAccounts(trx, { advertisers }, ids) : []
      return new Set(accounts.map(account => account.id))
    }),
  )
  return report.channels.map(block => ({
    ...block,
    accounts: block.accounts.filter(id => allowed.every(ids_of => ids_of.has(id))),
  }))
}

/**
 * Somebody whom the sharer may not see does not exist for them. A client is shown only reports whose accounts are their own advertiser's:
 * names of campaigns stand in a report's filters.
 */
async function refuseRecipient(
  trx: Trx,
  report: ReportTable,
  { user, recipient, field = 'user' }: { user: SignedInUser; recipient: number; field?: string },
): Promise<void> {
  const strange = refuse('invalid', { fields: { [field]: ['field_not_available'] } })
  const visible = await visiblePeople(trx, user)
    .select('users.id')
    .where('users.id', '=', recipient)
    .executeTakeFirst()
  const person = visible ? await readPerson(trx, recipient) : null
  if (!person || (field === 'user' && recipient === report.owner)) throw strange
  if (isInternal(person)) return
  const ids = [...new Set(report.channels.flatMap(block => block.accounts))]
  const usable = await usableAccounts(trx, { advertisers: await advertisersOf(trx, person) }, ids)
  if (usable.length < ids.length) throw strange
}

async function sharesOf(db: Db, id: number) {
  const shares = await listShares(db, id)
  return shares.map(({ created_at, ...facts }) => ({ ...facts, created_at: created_at.toISOString() }))
}

const bulk = route('POST', `${REPORTS}bulk/`, {
  summary: 'Move, copy, delete or restore many reports; each has an outcome of its own.',
  level: 'external_user',
  body: BulkReports,
  reply: BulkOutcome,
  async run({ body: { action, ids, folder }, user, db, now, effects: { settings } }) {
    const results = []
    // In one order for everybody, so that two selections never wait for each other.
    for (const id of [...new Set(ids)].toSorted((a, b) => a - b)) {
      const one = { action, folder, user, now, settings }
      results.push(await outcomeOf(id, () => actOnOne(db, id, one)))
    }
    return { results }
  },
})

/** A refusal is thrown before anything is written, so the others of the selection go on in the same transaction. */
async function outcomeOf(id: number, act: () => Promise<number | null>) {
  try {
    return { id, status: 'ok' as const, code: null, copy: await act() }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { id, status: 'refused' as const, code: error.code, copy: null }
  }
}

async function actOnOne(
  trx: Trx,
  id: number,
  { action, folder, ...acting }: Copying & { action: z.output<typeof BulkReports>['action'] },
): Promise<number | null> {
  switch (action) {
    case 'copy':
      return await copyReport(trx, id, { folder, ...acting })
    case 'move':
      await moveReport(trx, id, { folder: folder ?? null, ...acting })
      return null
    case 'delete':
      await removeReport(trx, id, acting)
      return null
    case 'restore':
      await restoreReport(trx, id, acting)
      return null
  }
}

async function moveReport(
  trx: Trx,
  id: number,
  { folder, user, now }: { folder: number | null; user: SignedInUser; now: Date },
): Promise<void> {
  const { report, row } = await reportFor(trx, id, { user, action: 'see' })
  const access = accessOf(user, row) ?? 'viewer'
  if (mayDo(access, 'file')) {
    await refuseStrangeFolder(trx, user.id, folder)
    await fileShare(trx, { report: id, user_id: user.id, folder })
    return
  }
  await refuseStrangeFolder(trx, report.owner, folder)
  await moveToFolder(trx, report, { folder, now })
}

export const sharingRoutes = [listSharing, share, unshare, copy, bulk]
