import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isInternal } from '#shared/access.ts'
import type { CreatedSpreadsheet, CreateSpreadsheet } from '#shared/api/spreadsheets.ts'
import type { Language } from '#shared/language.ts'
import { spreadsheetUrl } from '#shared/spreadsheet-url.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { ApiSettings } from '#server/http/effects.ts'
import { refuse } from '#server/http/refusal.ts'
import { advertisersOfAccounts } from '#server/resources/ad-accounts/queries.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { systemUserToShareWith, type CheckContext } from '#server/resources/spreadsheets/control.ts'
import { advertiserNames, noteTabs, ownAdvertisers } from '#server/resources/spreadsheets/queries.ts'
import { checkAddress } from './check-target.ts'
import {
  countCreations,
  findCreation,
  insertCreation,
  lockCreations,
  setCreated,
  setStarted,
  unclaimed,
  type CreationKey,
} from './creation-queries.ts'
import type { SpreadsheetMaker } from './spreadsheet-maker.ts'

interface CreationContext extends Omit<CheckContext, 'advertiser'> {
  maker: SpreadsheetMaker
  key: CreationKey
  settings: ApiSettings
}

/**
 * A new spreadsheet that the person owns, the system user may edit and the person's reports may write to.
 * Every step can be repeated: the same key names the same file, whichever step an earlier request reached.
 */
export async function createSpreadsheet(
  { report_name, accounts }: CreateSpreadsheet,
  context: CreationContext,
): Promise<CreatedSpreadsheet> {
  const { db, user, now, spreadsheets, maker, settings } = context
  const client = await clientOf(accounts, context)
  const { untitled, tab } = names[user.language]
  const name = report_name || untitled
  // An example for a client is named after it already.
  const requested = client && !name.includes(client.name) ? `${client.name} – ${name}` : name
  const { spreadsheet_id, title } = await createOnce({ title: requested, tab }, context)
  await maker.shareWith(spreadsheet_id, await systemUserToShareWith({ db, user, now, spreadsheets }))
  const address = { spreadsheet_id, gid: null, origin: maker.origin }
  const url = spreadsheetUrl(address)
  const target = { sheet_name: tab, start_cell: START_CELL }
  // The agency's own people prove it for themselves and their department, whichever client it is for.
  const advertiser = isInternal(user) ? undefined : client?.id
  const check = await checkAddress({ ...address, text: url }, target, {
    db,
    user,
    now,
    spreadsheets,
    settings,
    advertiser,
  })
  await noteTabs(db, spreadsheet_id, 1)
  return { spreadsheet_url: url, title, sheet_name: tab, start_cell: START_CELL, check }
}

const START_CELL = 'A1'
const names: Record<Language, { untitled: string; tab: string }> = {
  en: { untitled: 'Report', tab: 'Data' },
  'zh-TW': { untitled: '報表', tab: '資料' },
}

/** The client that the spreadsheet is for: that of the report's accounts, else a client's only one. */
async function clientOf(accounts: readonly number[], { db, user }: CreationContext) {
  const [named, ...others] = await advertisersOfAccounts(db, user, accounts)
  if (named && others.length === 0) return named
  const [own, ...more] = isInternal(user) ? [] : await advertiserNames(db, await ownAdvertisers(db, user.id))
  return own && more.length === 0 ? own : null
}

interface NewFile {
  title: string
  tab: string
}

interface CreatedFile {
  spreadsheet_id: string
  title: string
}

/** The file of the key; where another request is creating it, as soon as that has. */
async function createOnce(file: NewFile, context: CreationContext, tries = TRIES): Promise<CreatedFile> {
  const begun = await begin(file.title, context)
  if (begun.kind === 'created') return begun
  if (begun.kind === 'first') return await create({ ...file, is_first: true }, context)
  if (begun.kind === 'repeated')
    return await create({ ...file, title: begun.title, is_first: false }, context)
  if (tries === 0) throw refuse('spreadsheet_unavailable', { retry_after_s: 5 })
  await sleep(PAUSE_MS)
  return await createOnce(file, context, tries - 1)
}

const PAUSE_MS = 250
const TRIES = 60

type Begun =
  | { kind: 'first' | 'under_way' }
  | { kind: 'repeated'; title: string }
  | { kind: 'created'; spreadsheet_id: string; title: string }

/** Of many requests with one key, one at a time creates. */
async function begin(title: string, { db, now, key, settings }: CreationContext): Promise<Begun> {
  return await inTransaction(db, async trx => {
    await lockCreations(trx, key.user_id)
    const known = await findCreation(trx, key)
    if (known === null) {
      const limit = settings.quotas.spreadsheets_a_day
      const since = new Date(now.getTime() - DAY_MS)
      if ((await countCreations(trx, key.user_id, since)) >= limit)
        throw refuse('too_many_spreadsheets', { extra: { limit }, retry_after_s: DAY_MS / 24 / 1000 })
      await insertCreation(trx, key, { title, now })
      return { kind: 'first' }
    }
    const { spreadsheet_id, started_at } = known
    if (spreadsheet_id !== null) return { kind: 'created', spreadsheet_id, title: known.title }
    // A process that died while it was creating says nothing any more.
    if (started_at !== null && now.getTime() - started_at.getTime() < DEAD_MS) return { kind: 'under_way' }
    await setStarted(trx, key, now)
    return { kind: 'repeated', title: known.title }
  })
}

const DAY_MS = 24 * 3_600_000
/** Twice what the service may take to respond. */
const DEAD_MS = 60_000

async function create(
  { title, tab, is_first }: NewFile & { is_first: boolean },
  context: CreationContext,
): Promise<CreatedFile> {
  const { db, user, now, maker, key } = context
  try {
    const file = { title, tab_id: tabIdOf(key) }
    const id = (is_first ? null : await leftBehind(file, context)) ?? (await maker.create({ ...file, tab }))
    const entry = { actor: user.id, action: 'spreadsheet.create', object: 'spreadsheet' }
    await inTransaction(db, async trx => {
      await setCreated(trx, key, id)
      await writeAudit(trx, { ...entry, object_id: id, detail: { title } }, now)
    })
    return { spreadsheet_id: id, title }
  } catch (error) {
    await setStarted(db, key, null)
    throw error
  }
}

/** The id of the tab by which the key's own file is recognised among others of the same title. */
function tabIdOf({ user_id, idempotency_key }: CreationKey): number {
  const hash = createHash('sha256').update(`${user_id} ${idempotency_key}`).digest()
  // Google's ids are from 0 to 2^31 - 1, and 0 is the first tab of every other file.
  return (hash.readUInt32BE() >>> 2) + 1
}

/** A file that an earlier request with this key has created without hearing of it. */
async function leftBehind(
  { title, tab_id }: { title: string; tab_id: number },
  { db, maker }: CreationContext,
): Promise<string | null> {
  for (const id of await unclaimed(db, await maker.ownWithTitle(title)))
    if (await maker.hasTab(id, tab_id)) return id
  return null
}
