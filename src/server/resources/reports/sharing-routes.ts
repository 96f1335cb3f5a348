import { z } from 'zod'
import { isInternal } from '#shared/access.ts'
import { IdPath, IdText } from '#shared/api/list.ts'
import { CopyReport, Report, Share, ShareReport } from '#shared/api/reports.ts'
import { nameOf } from '#shared/person-name.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import type { ApiSettings } from '#server/http/effects.ts'
import { Refusal, refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { changedFields, type ChangedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { insertNotices } from '#server/resources/notifications/queries.ts'
import { advertisersOf, readPerson, visiblePeople } from '#server/resources/people/queries.ts'
import { isProvenFor } from '#server/resources/spreadsheets/queries.ts'
import { findReport, type ReportTable } from './queries.ts'
import { refuseTooManySent } from './quota.ts'
import { refuseForeignFolder, reportFor, REPORTS, showReport } from './routes.ts'
import { copyName } from './rules.ts'
import { draftOf } from './draft.ts'
import { createReport } from './save.ts'
import { usableAccounts } from '#server/resources/ad-accounts/queries.ts'
import { endShares, hasLeft, listShares, restoreShare, upsertShare, wasSharedToday } from './share-queries.ts'

const ShareList = z.array(Share)

const listSharing = route('GET', `${REPORTS}:id/share/`, {
  summary: 'List the people with whom a report is shared.',
  // Locks the report as changes do, and returns everybody it is shared with.
  rows: 'every',
  level: 'external_user',
  params: IdPath,
  reply: ShareList,
  async run({ params: { id }, user, db }) {
    await reportFor(db, id, { user, action: 'share' })
    return await sharesOf(db, id)
  },
})

const share = route('POST', `${REPORTS}:id/share/`, {
  summary: 'Share a report as viewer (see, run, copy) or editor (also change).',
  level: 'external_user',
  params: IdPath,
  body: ShareReport,
  reply: ShareList,
  status: 201,
  async run({ params: { id }, body, user, db, now }) {
    await shareReport(db, id, { ...body, sharer: user, now })
    return await sharesOf(db, id)
  },
})

/** Returns the person's previous role. */
export async function shareReport(
  trx: Trx,
  id: number,
  sharing: { user: number; access: 'viewer' | 'editor'; sharer: SignedInUser; now: Date },
): Promise<'viewer' | 'editor' | null> {
  const { sharer, now, ...shared } = sharing
  const { report } = await reportFor(trx, id, { user: sharer, action: 'share' })
  await refuseRecipient(trx, report, { user: sharer, recipient: shared.user })
  const { before } = await upsertShare(
    trx,
    { report: id, user_id: shared.user, access: shared.access, shared_by: sharer.id },
    now,
  )
  // Sharing and unsharing in turns does not notify each time.
  if (before === null && !(await wasSharedToday(trx, id, shared.user)))
    await notifyOf(trx, 'report_shared', { report: id, user_id: shared.user, by: sharer, now })
  await noteSharing(trx, report, {
    ...sharing,
    action: 'share',
    changes: changedFields({ access: before }, { access: shared.access }),
  })
  return before
}

const unshare = route('DELETE', `${REPORTS}:id/share/:user_id/`, {
  summary: 'Unshare a report. The person whom it is shared with may do so too.',
  level: 'external_user',
  params: IdPath.extend({ user_id: IdText }),
  async run({ params: { id, user_id }, user, db, now }) {
    await unshareReport(db, id, { user: user_id, sharer: user, now })
  },
})

export async function unshareReport(
  trx: Trx,
  id: number,
  { user, sharer, now }: { user: number; sharer: SignedInUser; now: Date },
): Promise<void> {
  const action = user === sharer.id ? 'see' : 'share'
  const { report } = await reportFor(trx, id, { user: sharer, action })
  const [ended] = await endShares(trx, { reports: [id], user_id: user, ended_by: sharer.id }, now)
  if (!ended) throw refuse('not_found')
  const changes = changedFields({ access: ended.access }, { access: null })
  await noteSharing(trx, report, { user, sharer, now, action: 'unshare', changes })
}

/**
 * Undoes the end of a share: the role, the sharer, the time and the recipient's folder are the previous ones.
 * Nobody is notified again. By whoever may share the report, or by the recipient who has ended it themselves.
 */
export async function shareAgain(
  trx: Trx,
  id: number,
  { user, sharer, now }: { user: number; sharer: SignedInUser; now: Date },
): Promise<void> {
  const isOwnUndo = user === sharer.id && (await hasLeft(trx, id, user))
  const report = isOwnUndo ? await findReport(trx, id) : await sharedReport(trx, id, sharer)
  if (!report) throw refuse('not_found')
  await refuseRecipient(trx, report, { user: sharer, recipient: user })
  const access = await restoreShare(trx, id, user)
  if (access === null) throw refuse('conflict')
  const changes = changedFields({ access: null }, { access })
  await noteSharing(trx, report, { user, sharer, now, action: 'share_again', changes })
}

const sharedReport = async (trx: Trx, id: number, user: SignedInUser) =>
  (await reportFor(trx, id, { user, action: 'share' })).report

async function noteSharing(
  trx: Trx,
  { id, name }: ReportTable,
  { user, sharer, action, changes, now }: Noted,
) {
  const line = { actor: sharer.id, action: `report.${action}`, object: 'report', object_id: id }
  await writeAudit(trx, { ...line, detail: { name, user, changes } }, now)
}

interface Noted {
  user: number
  sharer: SignedInUser
  action: 'share' | 'unshare' | 'share_again'
  changes: ChangedFields
  now: Date
}

const copy = route('POST', `${REPORTS}:id/copy/`, {
  summary: 'Copy a report, without its schedule and tab. With `to_user` that user owns the copy.',
  level: 'external_user',
  params: IdPath,
  body: CopyReport,
  reply: Report,
  status: 201,
  async run({ params: { id }, body, user, db, now, effects: { settings } }) {
    const copied = await copyReport(db, id, { ...body, user, now, settings })
    // The sender of a copy does not see it; the response has what they have sent.
    const viewer = body.to_user === undefined ? user : { ...user, id: body.to_user }
    return await showReport(db, copied, { user: viewer, now })
  },
})

export interface Copying {
  folder?: number | null | undefined
  to_user?: number | undefined
  user: SignedInUser
  now: Date
  settings: ApiSettings
}

export async function copyReport(
  trx: Trx,
  id: number,
  { folder, to_user, user, now, settings }: Copying,
): Promise<number> {
  const { report, row } = await reportFor(trx, id, { user, action: 'copy' })
  const owner = to_user ?? user.id
  if (owner !== user.id) {
    await refuseRecipient(trx, report, { user, recipient: owner, field: 'to_user' })
    await refuseTooManySent(trx, { to: owner, by: user.id }, settings)
  }
  const targetFolder = folder === undefined && owner === report.owner ? row.viewer_folder : (folder ?? null)
  await refuseForeignFolder(trx, owner, targetFolder)
  const draft = {
    ...draftOf(report),
    name: copyName(report.name),
    spreadsheet_url: (await isUsableByBoth(trx, report, { owner, user })) ? report.spreadsheet_url : '',
    // Two reports never silently write to one target.
    sheet_name: '',
    update_frequency: 0,
    channels: await usableChannels(trx, report, { owner, user }),
  }
  const saving = {
    folder: targetFolder,
    owner,
    editor: user,
    copied_by: user.id,
    saved_range: draft.date_range,
    settings,
    now,
  }
  const copied = await createReport(trx, draft, saving).catch((error: unknown) => {
    // The number is that of the recipient, not of the asking person.
    const is_theirs = error instanceof Refusal && error.code === 'too_many_reports' && owner !== user.id
    throw is_theirs ? refuse('invalid', { fields: { to_user: ['too_many_reports'] } }) : error
  })
  if (owner !== user.id)
    await notifyOf(trx, 'report_copied', { report: copied, user_id: owner, by: user, now })
  const detail = { name: draft.name, from: id, to_user: owner }
  await writeAudit(
    trx,
    { actor: user.id, action: 'report.copy', object: 'report', object_id: copied, detail },
    now,
  )
  return copied
}

async function notifyOf(
  trx: Trx,
  kind: 'report_shared' | 'report_copied',
  { report, user_id, by, now }: { report: number; user_id: number; by: SignedInUser; now: Date },
) {
  await insertNotices(trx, [{ kind, user_id, report, detail: { person: nameOf(by) } }], now)
}

/** The copy has the spreadsheet only when both sender and recipient control it. */
async function isUsableByBoth(
  trx: Trx,
  { spreadsheet_id }: ReportTable,
  { owner, user }: { owner: number; user: SignedInUser },
): Promise<boolean> {
  if (spreadsheet_id === null || owner === user.id) return true
  const person = await readPerson(trx, owner)
  return (
    person !== null &&
    (await isProvenFor(trx, user, spreadsheet_id)) &&
    (await isProvenFor(trx, person, spreadsheet_id))
  )
}

/** Without the accounts that the new owner or the copier may not use: a copy grants no access. */
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
 * A person whom the sharer may not see does not exist for them. A client sees only reports whose accounts are
 * their own advertiser's: names of campaigns are in a report's filters.
 */
async function refuseRecipient(
  trx: Trx,
  report: ReportTable,
  { user, recipient, field = 'user' }: { user: SignedInUser; recipient: number; field?: string },
): Promise<void> {
  const notAvailable = refuse('invalid', { fields: { [field]: ['field_not_available'] } })
  const visible = await visiblePeople(trx, user)
    .select('users.id')
    .where('users.id', '=', recipient)
    .executeTakeFirst()
  const person = visible ? await readPerson(trx, recipient) : null
  if (!person || (field === 'user' && recipient === report.owner)) throw notAvailable
  if (isInternal(person)) return
  const ids = [...new Set(report.channels.flatMap(block => block.accounts))]
  const usable = await usableAccounts(trx, { advertisers: await advertisersOf(trx, person) }, ids)
  if (usable.length < ids.length) throw notAvailable
}

async function sharesOf(db: Db, id: number) {
  const shares = await listShares(db, id)
  return shares.map(({ created_at, ...facts }) => ({ ...facts, created_at: created_at.toISOString() }))
}

export const sharingRoutes = [listSharing, share, unshare, copy]
