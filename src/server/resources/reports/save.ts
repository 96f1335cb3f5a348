import { isDeepStrictEqual } from 'node:util'
import type { Person } from '#shared/access.ts'
import type { DateRange, UpdateReport } from '#shared/api/reports.ts'
import { parseStartCell } from '#shared/cell.ts'
import type { Meanings } from '#shared/block-catalogue.ts'
import type { Violation } from '#shared/block-rules.ts'
import { dateRangeOf, rangeOfRun, todayIn } from '#shared/date-range.ts'
import { changedParts } from '#shared/report-parts.ts'
import { whyNotSave } from '#shared/report-rules.ts'
import { isTimeZone } from '#shared/zone-names.ts'
import {
  GOOGLE_ORIGIN,
  parseSpreadsheetUrl,
  spreadsheetUrl,
  type SpreadsheetAddress,
} from '#shared/spreadsheet-url.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import type { ApiSettings } from '#server/http/effects.ts'
import { refuse, type FieldProblem } from '#server/http/refusal.ts'
import { changedFields, type ChangedFields } from '#server/resources/audit/changed-fields.ts'
import { advertisersOf, readPerson } from '#server/resources/people/queries.ts'
import { meaningsOf, moneyOf } from '#server/resources/insight-settings/meanings.ts'
import { planReport, type AccountFacts } from '#server/table/plan.ts'
import { findBinding, isInScope, isProvenFor } from '#server/resources/spreadsheets/queries.ts'
import { isOfFile } from '#server/resources/spreadsheets/rules.ts'
import { draftOf, type Draft } from './draft.ts'
import { insertReport, replaceAccounts, updateReport, type ReportTable } from './queries.ts'
import { refuseTooManyReports } from './quota.ts'
import { endForeignShares } from './foreign-shares.ts'
import { hasVersions, insertVersion } from './version-queries.ts'
import { daysOf, nextRunOf, tidyCell } from './rules.ts'
import { usableAccounts } from '#server/resources/ad-accounts/queries.ts'

interface Saving {
  /** The owner of the report. */
  owner: number
  /** The person who saves it. */
  editor: Person
  /** The previous version; null for a new one. */
  before: ReportTable | null
  /** A range that may stay, however old it has become. */
  saved_range?: DateRange
  settings: ApiSettings
  now: Date
}

/** Creates a report of this draft; refuses with every invalid field. */
export async function createReport(
  trx: Trx,
  draft: Draft,
  { folder, copied_by, ...saving }: Omit<Saving, 'before'> & { folder: number | null; copied_by?: number },
): Promise<number> {
  const { owner, editor, now } = saving
  const columns = await settle(trx, draft, { ...saving, before: null })
  await refuseTooManyReports(trx, owner, saving.settings)
  const stamps = { created_at: now, last_modified_at: now }
  const id = await insertReport(trx, { ...columns, ...stamps, owner, folder, copied_by: copied_by ?? null })
  await replaceAccounts(trx, id, draft.channels)
  const settings = settledDraft(draft, columns)
  const version = { report: id, version: 1, changed: [], author: editor.id, restores: null }
  await insertVersion(trx, { ...version, settings, saved_at: now })
  return id
}

/** Throws as `createReport` would, and creates nothing. */
export async function checkNew(trx: Trx, draft: Draft, saving: Omit<Saving, 'before'>): Promise<void> {
  await settle(trx, draft, { ...saving, before: null })
}

type Changing = Omit<Saving, 'before' | 'owner'> & {
  changes: Omit<UpdateReport, 'version' | 'folder'>
  /** The stored version whose settings these are. */
  restores?: number
}

/** Saves changes of a locked report, one version up; returns the changes. */
export async function changeReport(
  trx: Trx,
  report: ReportTable,
  { folder, ...changing }: Changing & { folder: number | null },
): Promise<ChangedFields> {
  const { draft, columns } = await settleChange(trx, report, changing)
  const version = report.version + 1
  await updateReport(trx, report.id, { ...columns, folder, version, last_modified_at: changing.now })
  await replaceAccounts(trx, report.id, draft.channels)
  await storeVersion(trx, report, {
    ...changing,
    settings: settledDraft(draft, columns),
  })
  const [before, accounts] = [accountsIn(report), accountsIn(draft)]
  if (!accounts.isSubsetOf(before))
    await endForeignShares(trx, report, { ...changing, accounts: [...accounts] })
  return changedFields(
    { ...draftOf(report), folder: report.folder },
    { ...settledDraft(draft, columns), folder },
  )
}

/** The new settings as a version of their own; before the first one, those that they replace. */
async function storeVersion(
  trx: Trx,
  report: ReportTable,
  { settings, editor, restores, now }: Pick<Changing, 'editor' | 'restores' | 'now'> & { settings: Draft },
): Promise<void> {
  const before = draftOf(report)
  const changed = changedParts(before, settings)
  if (!(await hasVersions(trx, report.id)))
    await insertVersion(trx, {
      report: report.id,
      version: report.version,
      settings: before,
      changed: [],
      author: null,
      restores: null,
      saved_at: report.last_modified_at,
    })
  if (changed.length === 0) return
  await insertVersion(trx, {
    report: report.id,
    version: report.version + 1,
    settings,
    changed,
    author: editor.id,
    restores: restores ?? null,
    saved_at: now,
  })
}

/** The draft as it is stored. */
const settledDraft = (draft: Draft, columns: Settled): Draft => ({
  ...draft,
  spreadsheet_url: columns.spreadsheet_url,
  start_cell: columns.start_cell,
  update_day_of_week: columns.update_day_of_week,
  update_day_of_month: columns.update_day_of_month,
})

type Settled = Awaited<ReturnType<typeof settle>>

const accountsIn = ({ channels }: Pick<Draft, 'channels'>) =>
  new Set(channels.flatMap(block => block.accounts))

/** Throws as `changeReport` would, and changes nothing. */
export async function checkChange(trx: Trx, report: ReportTable, changing: Changing): Promise<void> {
  await settleChange(trx, report, changing)
}

async function settleChange(trx: Trx, report: ReportTable, { changes, ...saving }: Changing) {
  const draft = { ...draftOf(report), ...defined(changes) }
  const columns = await settle(trx, draft, {
    ...saving,
    owner: report.owner,
    before: report,
    saved_range: dateRangeOf(report),
  })
  return { draft, columns }
}

/** Only what was sent: a key that is undefined must not hide the stored value. */
function defined<T extends object>(changes: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  const sent = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  return sent as { [Key in keyof T]: Exclude<T[Key], undefined> }
}

/** The columns of the draft, with what follows from it; throws for invalid fields. */
async function settle(trx: Trx, draft: Draft, saving: Saving) {
  const { before, settings, owner, now } = saving
  const address = parseSpreadsheetUrl(draft.spreadsheet_url, settings.spreadsheet_origins)
  const person = await readPerson(trx, owner)
  const accounts = await accountsFor(trx, person, draft)
  const spreadsheet_id = address?.spreadsheet_id ?? null
  const problems = [
    ...whyNotPlace(draft, address),
    ...(await whyNotTarget(trx, { ...draft, spreadsheet_id }, { ...saving, person })),
    ...(await whyNotAccounts(trx, draft, { ...saving, accounts })),
    ...(await whyNotContent(trx, draft, { ...saving, accounts })),
  ]
  refuseFields(problems)

  const is_same_file = before?.spreadsheet_id === spreadsheet_id
  const is_same_tab = is_same_file && before.sheet_name === draft.sheet_name
  // What is known of the file stays; what is known of a tab is reset with the tab.
  const is_known = is_same_tab || (is_same_file && isOfFile(before.target_state))
  const target_state = is_known ? before.target_state : await stateOfNew(trx, person, spreadsheet_id)
  const { date_range, dimensions, channels, sort, comparison, blends, ...columns } = draft
  const settled = {
    ...columns,
    ...daysOf(draft),
    // A bare id does not say where it opens.
    spreadsheet_url: address?.origin === null ? urlOfId(address, settings) : draft.spreadsheet_url,
    start_cell: tidyCell(draft.start_cell),
    spreadsheet_id,
    target_state,
    sheet_id: is_same_tab ? before.sheet_id : null,
    date_start: date_range.start,
    date_end: date_range.end,
    dynamic_range: date_range.dynamic_range,
  }
  const next_run_at = nextRunOf({ ...settled, channels, next_run_at: null }, { before, now })
  return {
    ...settled,
    dimensions: JSON.stringify(dimensions),
    channels: JSON.stringify(channels),
    sort: sort && JSON.stringify(sort),
    comparison: comparison && JSON.stringify(comparison),
    blends: JSON.stringify(blends),
    next_run_at,
  }
}

/** Reports write to one service, so a bare id is one of that. */
const urlOfId = (
  address: SpreadsheetAddress,
  { built_in_sheets, public_url }: Pick<ApiSettings, 'built_in_sheets' | 'public_url'>,
) => spreadsheetUrl(address, built_in_sheets ? public_url : GOOGLE_ORIGIN)

/**
 * A spreadsheet that is proven already needs no further check before the first run; of any other nothing is
 * known.
 */
async function stateOfNew(trx: Trx, person: Person | null, spreadsheet_id: string | null) {
  if (spreadsheet_id === null || person === null) return null
  return (await isProvenFor(trx, person, spreadsheet_id)) ? 'ok' : null
}

/**
 * Refuses a draft that may not be previewed, by the rules of saving it; stricter in one thing, since the
 * response has numbers: the asking person must be able to use the accounts that were in the report before,
 * too. Returns the accounts that the report's owner may use.
 */
export async function refuseTable(db: Db, draft: Draft, saving: Saving): Promise<AccountFacts[]> {
  const accounts = await accountsFor(db, await readPerson(db, saving.owner), draft)
  const own = await accountsFor(db, saving.editor, draft)
  const unavailable = unavailableAccounts(draft, id => own.some(account => account.id === id))
  refuseFields([
    ...(unavailable.length > 0 ? unavailable : await whyNotAccounts(db, draft, { ...saving, accounts })),
    ...(await whyNotContent(db, draft, { ...saving, accounts })),
  ])
  return accounts
}

interface Problem {
  path: string
  problem: FieldProblem
}

function whyNotPlace({ spreadsheet_url, sheet_name, start_cell }: Draft, address: object | null): Problem[] {
  const cell = parseStartCell(start_cell)
  return [
    ...(spreadsheet_url.trim() !== '' && address === null
      ? [{ path: 'spreadsheet_url', problem: 'not_a_spreadsheet' as const }]
      : []),
    ...(sheet_name.includes(':') ? [{ path: 'sheet_name', problem: 'sheet_name_colon' as const }] : []),
    ...(cell === 'start_cell_format' ? [{ path: 'start_cell', problem: cell }] : []),
  ]
}

/**
 * A report writes with its owner's access, so another person who changes the target needs control of the file
 * themselves, and so does the owner: nobody uses another's access. A file that the editor may not use is
 * treated like one that does not exist.
 */
async function whyNotTarget(
  trx: Db,
  {
    spreadsheet_id,
    sheet_name,
    start_cell,
  }: Pick<Draft, 'sheet_name' | 'start_cell'> & { spreadsheet_id: string | null },
  { owner, editor, before, person }: Saving & { person: Person | null },
): Promise<Problem[]> {
  const is_changed =
    before?.spreadsheet_id !== spreadsheet_id ||
    before.sheet_name !== sheet_name ||
    before.start_cell !== tidyCell(start_cell)
  if (spreadsheet_id === null || editor.id === owner || !is_changed) return []
  const refused = (problem: ErrorCode) => [{ path: 'spreadsheet_url', problem }]
  const binding = await findBinding(trx, spreadsheet_id)
  if (binding === null || !(await isInScope(trx, editor, binding))) return refused('spreadsheet_not_shared')
  if (binding.lapsed_at !== null) return refused('proof_required')
  const is_owners = person !== null && (await isInScope(trx, person, binding))
  return is_owners ? [] : refused('owner_lacks_spreadsheet')
}

/**
 * An account that the owner may not use, and one that the editor adds and may not use, is treated like one
 * that does not exist.
 */
async function whyNotAccounts(
  trx: Db,
  draft: Draft,
  { owner, editor, before, accounts }: Saving & { accounts: AccountFacts[] },
): Promise<Problem[]> {
  // A name may be changed while an account is lost; the next run reports that it is.
  if (before && isDeepStrictEqual(before.channels, draft.channels)) return []
  const known = new Set(before?.channels.flatMap(block => block.accounts))
  const of_owner = new Set(accounts.map(account => account.id))
  const own = editor.id === owner ? accounts : await accountsFor(trx, editor, draft)
  const of_editor = new Set(own.map(account => account.id))
  return unavailableAccounts(draft, id => of_owner.has(id) && (known.has(id) || of_editor.has(id)))
}

const unavailableAccounts = ({ channels }: Draft, is_available: (account: number) => boolean): Problem[] =>
  channels.flatMap((block, index) => {
    const missing = block.accounts.filter(id => !is_available(id))
    if (missing.length === 0) return []
    const problem = { code: 'field_not_available' as const, detail: { accounts: missing } }
    return [{ path: `channels.${index}.accounts`, problem }]
  })

/** Those of the draft's accounts that the person may use. */
async function accountsFor(trx: Db, person: Person | null, { channels }: Draft): Promise<AccountFacts[]> {
  const ids = channels.flatMap(block => block.accounts)
  return person ? await usableAccounts(trx, { advertisers: await advertisersOf(trx, person) }, ids) : []
}

/**
 * The rules of the catalogue, the dates and the currencies; accounts that the owner may not use are left out.
 */
async function whyNotContent(
  db: Db,
  draft: Draft,
  { before, saved_range, settings, now, accounts }: Saving & { accounts: AccountFacts[] },
): Promise<Problem[]> {
  if (!isTimeZone(draft.timezone)) return [{ path: 'timezone', problem: 'field_invalid' }]
  const { start, end } = draft.date_range
  if (start !== null && end !== null && end < start)
    return [{ path: 'date_range.end', problem: { code: 'field_invalid', detail: { start } } }]
  const today = todayIn(draft.timezone, now)
  const meanings = await meaningsOf(db, draft, accounts)
  const refusals = whyNotSave({
    report: draft,
    accounts,
    meanings,
    today,
    history_extended: before?.history_extended ?? false,
    history_days: settings.history_days,
    channel_limit: settings.report_channel_limit,
    ...(saved_range && { saved_range }),
  })
  const fees = refusals.length > 0 ? [] : await whyNotFees(db, draft, { accounts, meanings, today })
  return [...refusals, ...fees].map(({ path, code, detail }) => ({ path, problem: { code, detail } }))
}

/** A fee that is not one rate cannot be added row by row: the plan of a run today says so. */
async function whyNotFees(
  db: Db,
  draft: Draft,
  facts: { accounts: AccountFacts[]; meanings: Meanings; today: string },
): Promise<Violation[]> {
  const range = rangeOfRun(draft.date_range, facts.today)
  if (range === null) return []
  const money = await moneyOf(db, draft, { ...facts, range })
  const { blocks } = planReport(draft, { ...facts, range, money })
  return blocks.flatMap(({ refusal }, index) =>
    refusal?.code === 'fee_not_flat'
      ? { code: refusal.code, path: `channels.${index}.metrics`, detail: refusal.detail }
      : [],
  )
}

/** One code for all when they agree, for clients that read nothing else; each field has its own anyway. */
function refuseFields(problems: readonly Problem[]): void {
  if (problems.length === 0) return
  const fields: Record<string, FieldProblem[]> = {}
  for (const { path, problem } of problems) fields[path] = [...(fields[path] ?? []), problem]
  const codes = new Set(problems.map(({ problem }) => (typeof problem === 'string' ? problem : problem.code)))
  const [first = 'invalid'] = codes
  const code: ErrorCode = codes.size === 1 && !first.startsWith('field_') ? first : 'invalid'
  throw refuse(code, { fields })
}
