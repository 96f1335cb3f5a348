import { hash, randomUUID } from 'node:crypto'
import type { MemberColumn } from '#shared/audiences.ts'
import type { Trx } from '#server/db/transaction.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { packRows } from '#server/resources/audiences/chunk.ts'
import { storeChunk } from '#server/resources/audiences/chunks.ts'
import { memberKey } from '#server/resources/audiences/member-keys.ts'
import { insertAudience } from '#server/resources/audiences/queries.ts'
import { expireAudience } from '#server/resources/audiences/retention-queries.ts'
import { noteAudience } from '#server/resources/audiences/rights.ts'
import { expiryOf, withDefaults } from '#server/resources/audiences/rules.ts'
import { homesOf, insertShare } from '#server/resources/audiences/share-change-queries.ts'
import { modeOf } from '#server/resources/audiences/share-rules.ts'
import {
  advanceUpload,
  markTaken,
  openUpload,
  updateList,
} from '#server/resources/audiences/upload-queries.ts'
import type { Vault } from '#server/vault.ts'
import { idIn } from './campaigns.ts'
import { demoAudiences, demoSites, type DemoAudience } from './audience-list.ts'
import type { AudiencePlace } from './audience-places.ts'

interface Demo {
  advertisers: ReadonlyMap<string, number>
  people: ReadonlyMap<string, number>
  /** By channel and name. */
  account_ids: ReadonlyMap<string, number>
  places: ReadonlyMap<string, AudiencePlace>
  vault: Vault
  now: Date
}

/**
 * Audiences as people would have made them. The shares are queued, and brought to the platforms by the
 * running product like all others. Returns their ids, and those of the sites, by name.
 */
export async function insertAudiences(trx: Trx, demo: Demo) {
  const sites = await insertSites(trx, demo)
  const made = new Map<string, number>()
  for (const audience of demoAudiences) {
    const id = await insertOne(trx, audience, { ...demo, sites, made })
    made.set(audience.name, id)
    if (audience.people) await fill(trx, { ...audience, id, people: audience.people }, demo)
    await share(trx, { ...audience, id }, demo)
  }
  return { audiences: made as ReadonlyMap<string, number>, sites }
}

async function insertSites(
  trx: Trx,
  { advertisers, people, places, now }: Demo,
): Promise<Map<string, number>> {
  const rows = demoSites.map(({ advertiser, pixels_of: account = '', ...site }) => ({
    ...site,
    advertiser: idIn(advertisers, advertiser),
    pixels: JSON.stringify(places.get(account)?.pixels ?? []),
    created_by: idIn(people, 'director'),
  }))
  const sites = await trx.insertInto('site').values(rows).returning(['id', 'name']).execute()
  for (const { id, name } of sites) {
    const site = { action: 'site.create', object: 'site', object_id: id, detail: { name } }
    await writeAudit(trx, { actor: idIn(people, 'director'), ...site }, now)
  }
  return new Map(sites.map(({ id, name }) => [name, id]))
}

async function insertOne(
  trx: Trx,
  { advertiser, created_by, site, seed, people, accounts: _accounts, ...facts }: DemoAudience,
  { sites, made, now, ...demo }: Demo & Record<'sites' | 'made', ReadonlyMap<string, number>>,
): Promise<number> {
  const by = idIn(demo.people, created_by)
  const at = daysBefore(now, people?.days_ago ?? 0)
  const id = await insertAudience(trx, {
    ...withDefaults({
      ...facts,
      description: '',
      advertiser: idIn(demo.advertisers, advertiser),
      ...(site !== undefined && { site: idIn(sites, site) }),
      ...(seed !== undefined && { seed: idIn(made, seed) }),
    }),
    status: facts.kind === 'customer_file' ? 'draft' : 'ready',
    rows: 0,
    created_by: by,
    now: at,
  })
  const detail = { name: facts.name }
  await noteAudience(trx, { action: 'audience.create', id, user: { id: by }, now: at, detail })
  return id
}

/** One upload of its people, some days ago; our copy is destroyed where that is too long ago. */
async function fill(
  trx: Trx,
  { id: audience, name, people, created_by }: DemoAudience & { id: number; people: People },
  { people: users, vault, now }: Demo,
) {
  const by = idIn(users, created_by)
  const at = daysBefore(now, people.days_ago)
  const facts = { audience, session: randomUUID(), action: 'add' as const, columns: [...columns] }
  const { id } = await openUpload(trx, { ...facts, basis: null, created_by: by, now: at })
  const key = await memberKey(trx, vault)
  const rows = Array.from({ length: people.count }, (_, index) => rowOf(people.from + index))
  await storeChunk(trx, { vault, key }, { audience, upload: id, ...packRows({ columns, rows }) })
  await advanceUpload(trx, id, { rows: rows.length, next_seq: 2, now: at })
  const counts = { ...nothingWrong, valid: rows.length }
  await markTaken(trx, id, { counts, now: at })
  const detail = { name, upload: id, action: facts.action, rows: rows.length, counts }
  await noteAudience(trx, { action: 'audience.upload', id: audience, user: { id: by }, now: at, detail })
  const confirmed = { confirmed_by: by, confirmed_at: at }
  const list = { status: 'ready' as const, rows: rows.length, expires_at: expiryOf(at, USUAL), now: at }
  await updateList(trx, audience, { ...list, ...confirmed })
  await expireAudience(trx, audience, now)
}

type People = NonNullable<DemoAudience['people']>
/** What people who change nothing get. */
const USUAL = { keep_days: 30 }

const columns: readonly MemberColumn[] = ['email', 'email_google', 'phone', 'phone_e164']

/** A person of the demo in every form that platforms know; their e-mail is the same for Google. */
function rowOf(person: number): string[] {
  const phone = `88691${String(person).padStart(7, '0')}`
  return [
    hash('sha256', `person.${person}@mail.demo`),
    '',
    hash('sha256', phone),
    hash('sha256', `+${phone}`),
  ]
}

const nothingWrong = {
  valid: 0,
  duplicate: 0,
  no_identifier: 0,
  bad_email: 0,
  bad_phone: 0,
  no_consent: 0,
}

async function share(
  trx: Trx,
  { id: audience, name, created_by, accounts }: DemoAudience & { id: number },
  { people, account_ids, places, now }: Demo,
) {
  const by = idIn(people, created_by)
  const begun: number[] = []
  for (const account of accounts) {
    const [id, place] = [account_ids.get(account), places.get(account)]
    // A platform that has been pointed elsewhere may not have it.
    if (id === undefined || !place) continue
    const homes = await homesOf(trx, { audience, provider: place.account.provider })
    const facts = { audience, ad_account: id, ...modeOf(place.business, homes), auto_sync: true }
    await insertShare(trx, { ...facts, created_by: by, now })
    begun.push(id)
  }
  if (begun.length === 0) return
  const detail = { name, ad_accounts: begun, refused: 0 }
  await noteAudience(trx, { action: 'audience.share', id: audience, user: { id: by }, now, detail })
}

const DAY_MS = 24 * 3600_000
const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS)
