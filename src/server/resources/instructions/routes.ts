import { z } from 'zod'
import {
  Instructions,
  UpdateInstructions,
  type AgencyField,
  type AgencyValues,
} from '#shared/api/instructions.ts'
import type { Platform } from '#shared/platforms.ts'
import { SCOPE as GA4_SCOPE } from '#server/connectors/ga4/client.ts'
import { SCOPE as GOOGLE_ADS_SCOPE } from '#server/connectors/google-ads/client.ts'
import type { Db } from '#server/db/connect.ts'
import type { Effects } from '#server/http/effects.ts'
import { route } from '#server/http/route.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { callbackUrl } from '#server/resources/public-accounts/apps.ts'
import { openLogin, type Login } from '#server/resources/public-accounts/logins.ts'
import { SealBroken } from '#server/vault.ts'
import { agencyValues, loginsOf, reportingAddresses, saveAgencyValues } from './queries.ts'

const PATH = '/api/instructions/'

const read = route('GET', PATH, {
  summary:
    'Get the values that clients enter at the platforms to authorise the agency. None of them is secret.',
  level: 'staff',
  // Of the shared logins it tells ids and addresses, which are made to be given to clients.
  rows: 'every',
  reply: Instructions,
  run: async ({ db, effects }) => await instructions(db, effects),
})

const update = route('PATCH', PATH, {
  summary: 'Set the values of the agency that no shared login knows. null removes one.',
  level: 'superuser',
  body: UpdateInstructions,
  reply: Instructions,
  async run({ body, user, db, effects, now }) {
    const before = await agencyValues(db)
    await saveAgencyValues(db, { ...before, ...body })
    const line = {
      actor: user.id,
      action: 'instructions.change',
      object: 'instructions',
      object_id: 'agency',
    }
    await writeAudit(db, { ...line, detail: { changes: changedFields(before, body) } }, now)
    return await instructions(db, effects)
  },
})

async function instructions(db: Db, effects: Effects): Promise<Instructions> {
  const { spreadsheets, vault } = effects
  const logins = await openLogins(db, vault, ['google', 'google_ads', 'ga4', 'line'])
  const people = await reportingAddresses(db)
  const of = (platform: Platform) =>
    logins.filter(each => each.platform === platform).map(({ login }) => login)
  const saved = await agencyValues(db)
  const valueOf = (field: AgencyField, known?: string) => saved[field] ?? known ?? null
  const values: AgencyValues = {
    meta_business_id: valueOf('meta_business_id'),
    google_address: valueOf('google_address'),
    google_manager_id: valueOf(
      'google_manager_id',
      first([...of('google_ads'), ...of('google')], 'login_customer_id'),
    ),
    yahoo_manager_id: valueOf('yahoo_manager_id'),
    tiktok_business_center_id: valueOf('tiktok_business_center_id'),
    line_group_id: valueOf('line_group_id', first(of('line'), 'group_ids')),
  }
  const addressesFor = (platform: Platform) => {
    const found = [...new Set([...addressesOf(of(platform)), ...people])]
    return found.length > 0 ? found : [values.google_address ?? []].flat()
  }
  return {
    system_users: spreadsheets.system_users.map(({ address }) => address),
    addresses: { google_ads: addressesFor('google_ads'), ga4: addressesFor('ga4') },
    scopes: { google_ads: GOOGLE_ADS_SCOPE, ga4: GA4_SCOPE },
    callback_url: callbackUrl(effects),
    values,
  }
}

/** One whose key is missing says nothing. */
async function openLogins(db: Db, vault: Effects['vault'], platforms: readonly Platform[]) {
  const opened: { platform: Platform; login: Login }[] = []
  for (const id of await loginsOf(db, platforms)) {
    const login = await openLogin(db, vault, id).catch((error: unknown) => {
      if (error instanceof SealBroken) return null
      throw error
    })
    if (login) opened.push(login)
  }
  return opened
}

const first = (logins: readonly Login[], field: string): string | undefined =>
  logins.map(login => login[field]).find(text => text !== undefined && text !== '')

const Key = z.object({ client_email: z.email() })

/** Of those logins that are a service account; a person's consent has no address. */
function addressesOf(logins: readonly Login[]): string[] {
  const addresses = logins.flatMap(({ service_account_key }) => {
    if (service_account_key === undefined) return []
    const key = Key.safeParse(JSON.parse(service_account_key))
    return key.success ? [key.data.client_email] : []
  })
  return [...new Set(addresses)]
}

export const instructionsRoutes = [read, update]
