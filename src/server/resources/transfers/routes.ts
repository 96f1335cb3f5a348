import type { Trx } from '#server/db/transaction.ts'
import { isInternal, mayUseSpreadsheet, type Person } from '#shared/access.ts'
import { IdPath } from '#shared/api/list.ts'
import { TransferPlan, TransferQuery, TransferReply, TransferReports } from '#shared/api/people.ts'
import { nameOf } from '#shared/person-name.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAudit, writeAuditLines } from '#server/resources/audit/queries.ts'
import { insertFolder, listFolders, lockTree } from '#server/resources/folders/queries.ts'
import { childrenOf, pathOf, sameName, type TreeFolder } from '#server/resources/folders/rules.ts'
import { insertNotices } from '#server/resources/notifications/queries.ts'
import {
  accountNames,
  bindingsOf,
  clearTabs,
  handOversOf,
  putInFolder,
  reportsOf,
  transferReports,
  unprovenTargets,
  accountsOfReports,
} from './queries.ts'
import { advertisersOf, readPerson, findOwnerAccess } from '#server/resources/people/queries.ts'
import { visiblePerson } from '#server/resources/people/visible.ts'
import { usableAccounts } from '#server/resources/ad-accounts/queries.ts'
import { restoreShare } from '#server/resources/reports/share-queries.ts'

const PATH = '/api/user/:id/transfer-reports/'
/** As many as one call transfers. */
const MOST = 1000

const plan = route('GET', PATH, {
  summary: 'List the reports of a user for a transfer, with what the new owner could not use.',
  level: 'superuser',
  params: IdPath,
  query: TransferQuery,
  reply: TransferPlan,
  async run({ params: { id }, query: { to }, user, db }) {
    await visiblePerson(db, user, id)
    if (to !== undefined) await heirOf(db, { from: id, to })
    const [found, folders] = await Promise.all([reportsOf(db, id, MOST + 1), listFolders(db, id)])
    const reports = found.slice(0, MOST)
    const lost = to === undefined ? null : await lossesOf(db, to, reports)
    const canReturn = await returnsOf(db, id, reports)
    return {
      reports: reports.map(({ id: report, name, folder, spreadsheet_id, channels }) => ({
        id: report,
        name,
        folder: pathOf(folders, folder),
        lost_accounts: lost?.accountsOf(channels.flatMap(block => block.accounts)) ?? [],
        loses_spreadsheet: spreadsheet_id !== null && (lost?.isLost(spreadsheet_id) ?? false),
        may_return: canReturn(channels),
      })),
      left_out: found.length - reports.length,
    }
  },
})

const transfer = route('POST', PATH, {
  summary: 'Transfer some or all reports of a user to another user.',
  level: 'superuser',
  params: IdPath,
  body: TransferReports,
  reply: TransferReply,
  async run({ params: { id }, body: { to, reports, keep_folders, take_back }, user, db, now }) {
    const person = await visiblePerson(db, user, id)
    const heir = await heirOf(db, { from: id, to })
    const accounts = await accountsOfReports(db, { owner: id, reports })
    if (await lacksAccounts(db, heir, accounts)) throw noHeir()
    const before = take_back ? await placesBefore(db, { from: id, to, reports }) : null
    const moved = await transferReports(db, { from: id, to, reports }, now)
    await clearForeignTabs(db, moved, { from: id })
    if (before) await putBack(db, before, id)
    if (keep_folders) await fileInSameFolders(db, { from: id, to, moved, now })
    const ids = moved.map(report => report.id).toSorted((a, b) => a - b)
    const detail = { name: nameOf(person), to, take_back, keep_folders, reports: ids.slice(0, MOST) }
    const line = { actor: user.id, action: 'user.transfer_reports', object: 'user', object_id: id, detail }
    await writeAudit(db, line, now)
    const changes = changedFields({ owner: id }, { owner: to })
    await writeAuditLines(
      db,
      moved.map(report => ({
        actor: user.id,
        action: 'report.transfer',
        object: 'report',
        object_id: report.id,
        detail: { changes },
      })),
      now,
    )
    if (!before) await notifyRecipient(db, ids, { to, by: user, now })
    return { reports: moved.length }
  },
})

/**
 * A report that names a spreadsheet which was never its owner's would begin to write there by the new owner's
 * own right, at a place that another person has chosen: the new owner chooses it anew.
 */
async function clearForeignTabs(
  trx: Trx,
  moved: readonly { id: number }[],
  { from }: { from: number },
): Promise<void> {
  const unproven = await unprovenTargets(
    trx,
    moved.map(({ id }) => id),
  )
  if (unproven.length === 0) return
  const bindings = await bindingsOf(
    trx,
    unproven.map(({ spreadsheet_id }) => spreadsheet_id),
  )
  const access = await findOwnerAccess(trx, from)
  const isTheirs = (spreadsheet_id: string) => {
    const binding = bindings.get(spreadsheet_id)
    return binding && access && mayUseSpreadsheet(access.person, binding, access.advertisers)
  }
  await clearTabs(
    trx,
    unproven.flatMap(({ id, spreadsheet_id }) => (isTheirs(spreadsheet_id) ? [] : [id])),
  )
}

/** Their previous folders with this recipient; refused unless that is known of each. */
async function placesBefore(
  trx: Trx,
  { reports = [], ...people }: { from: number; to: number; reports: readonly number[] | undefined },
) {
  const handOvers = await handOversOf(trx, { ...people, reports })
  if (handOvers.length === 0 || handOvers.length < new Set(reports).size) throw refuse('conflict')
  return handOvers
}

async function putBack(
  trx: Trx,
  handOvers: Awaited<ReturnType<typeof handOversOf>>,
  once_heir: number,
): Promise<void> {
  for (const [folder, stood] of Map.groupBy(handOvers, previous => previous.folder))
    if (folder !== null)
      await putInFolder(
        trx,
        stood.map(({ report }) => report),
        folder,
      )
  for (const { report } of handOvers.filter(previous => previous.was_shared))
    await restoreShare(trx, report, once_heir)
}

async function notifyRecipient(
  trx: Trx,
  [first, ...others]: readonly number[],
  { to, by, now }: { to: number; by: SignedInUser; now: Date },
) {
  if (first === undefined) return
  const person = nameOf(by)
  const notice =
    others.length === 0
      ? { kind: 'report_transferred' as const, report: first, detail: { person } }
      : { kind: 'reports_transferred' as const, detail: { person, count: others.length + 1 } }
  await insertNotices(trx, [{ user_id: to, ...notice }], now)
}

/** Another person, who can sign in. */
async function heirOf(trx: Trx, { from, to }: { from: number; to: number }): Promise<Person> {
  const heir = from === to ? null : await readPerson(trx, to)
  if (!heir) throw noHeir()
  return heir
}

const noHeir = () => refuse('invalid', { fields: { to: ['field_not_available'] } })

/**
 * A client gets only reports whose accounts are their own advertiser's: names of campaigns are in a report's
 * filters.
 */
async function lacksAccounts(trx: Trx, heir: Person, accounts: readonly number[]): Promise<boolean> {
  if (isInternal(heir)) return false
  const usable = await usableAccounts(trx, { advertisers: await advertisersOf(trx, heir) }, accounts)
  return usable.length < new Set(accounts).size
}

type OwnedReport = Awaited<ReturnType<typeof reportsOf>>[number]

/** Whether a report could be transferred back to this owner: a transfer is undone by the same rules. */
async function returnsOf(trx: Trx, owner: number, reports: readonly OwnedReport[]) {
  const person = await readPerson(trx, owner)
  const ids = [...new Set(reports.flatMap(({ channels }) => channels.flatMap(block => block.accounts)))]
  const advertisers = person && !isInternal(person) ? await advertisersOf(trx, person) : 'all'
  const usable =
    advertisers === 'all'
      ? null
      : new Set((await usableAccounts(trx, { advertisers }, ids)).map(({ id }) => id))
  return (channels: OwnedReport['channels']) =>
    person !== null &&
    (usable === null || channels.every(block => block.accounts.every(id => usable.has(id))))
}

/** What the new owner may not use. */
async function lossesOf(trx: Trx, to: number, reports: readonly OwnedReport[]) {
  const access = await findOwnerAccess(trx, to)
  const ids = [...new Set(reports.flatMap(({ channels }) => channels.flatMap(block => block.accounts)))]
  const usable = new Set((access ? await usableAccounts(trx, access, ids) : []).map(account => account.id))
  const names = await accountNames(
    trx,
    ids.filter(id => !usable.has(id)),
  )
  const bindings = await bindingsOf(
    trx,
    reports.flatMap(({ spreadsheet_id }) => spreadsheet_id ?? []),
  )
  return {
    accountsOf: (of_report: readonly number[]) =>
      [...new Set(of_report)].flatMap(id => {
        const name = names.get(id)
        return name === undefined ? [] : [{ id, name }]
      }),
    // An unproven one cannot be lost.
    isLost: (spreadsheet_id: string) => {
      const binding = bindings.get(spreadsheet_id)
      return (
        binding !== undefined && !(access && mayUseSpreadsheet(access.person, binding, access.advertisers))
      )
    },
  }
}

/** The new owner's folders of the same names get the reports of the old one's. */
async function fileInSameFolders(
  trx: Trx,
  {
    from,
    to,
    moved,
    now,
  }: { from: number; to: number; moved: readonly { id: number; folder: number | null }[]; now: Date },
) {
  const theirs = await listFolders(trx, from)
  const tree: TreeFolder[] = [...(await lockTree(trx, to))]
  for (const [folder, reports] of Map.groupBy(moved, report => report.folder)) {
    let parent: number | null = null
    for (const [depth, name] of pathOf(theirs, folder).entries()) {
      const there: TreeFolder | undefined = childrenOf(tree, parent).find(other => sameName(other.name, name))
      if (there) {
        parent = there.id
        continue
      }
      const made = { owner: to, name, parent, layer: depth + 1 }
      const id: number = await insertFolder(trx, made, now)
      tree.push({ id, name, parent, layer: made.layer })
      parent = id
    }
    if (parent !== null)
      await putInFolder(
        trx,
        reports.map(({ id }) => id),
        parent,
      )
  }
}

export const transfersRoutes = [plan, transfer]
