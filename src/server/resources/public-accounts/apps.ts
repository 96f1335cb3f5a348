import type { ConnectablePlatform } from '#shared/connect.ts'
import { platformFacts } from '#shared/platforms.ts'
import type { Db } from '#server/db/connect.ts'
import type { Effects, PlatformApp } from '#server/http/effects.ts'
import { SealBroken, type Vault } from '#server/vault.ts'
import { connectedLogins, findApp, findApps, replaceAppSecrets, saveApp, type AppRow } from './app-queries.ts'
import { openLogin, replaceLogin, type Login } from './logins.ts'

// The only file that seals and opens the secrets of the agency's own apps.

type Secret = 'client_secret' | 'developer_token'
const contextOf = (platform: ConnectablePlatform, field: Secret) => `platform_app/${platform}/${field}`

/** Where platforms send people back to: a page of the product. */
export const callbackUrl = ({ settings }: Pick<Effects, 'settings'>) =>
  `${settings.public_url}/oauth/callback`

/** With its secrets; null: it is not set up. Throws SealBroken. */
export async function openApp(
  db: Db,
  vault: Vault,
  platform: ConnectablePlatform,
): Promise<(PlatformApp & { developer_token: string | null }) | null> {
  const row = await findApp(db, platform)
  if (!row || row.client_id === null) return null
  const secret = opened(row, 'client_secret', vault)
  if (secret === null) return null
  return {
    client_id: row.client_id,
    client_secret: secret,
    config_id: row.config_id,
    developer_token: opened(row, 'developer_token', vault),
  }
}

function opened(row: AppRow, field: Secret, vault: Vault): string | null {
  const sealed = row[field]
  return sealed === null ? null : vault.open(sealed, contextOf(row.platform, field))
}

/** What is left out stays; null removes a value. */
export interface AppChanges {
  client_id?: string | null | undefined
  client_secret?: string | null | undefined
  config_id?: string | null | undefined
  developer_token?: string | null | undefined
}

/** False: somebody has changed it since that version. */
export async function changeApp(
  db: Db,
  vault: Vault,
  {
    platform,
    version,
    changes,
    now,
  }: { platform: ConnectablePlatform; version: number; changes: AppChanges; now: Date },
): Promise<boolean> {
  const sealed = (field: Secret) => {
    const text = changes[field]
    return text == null ? text : vault.seal(text, contextOf(platform, field))
  }
  const { client_id, config_id } = changes
  const isSaved = await saveApp(db, {
    platform,
    version,
    ...(client_id !== undefined && { client_id }),
    ...(config_id !== undefined && { config_id }),
    ...(changes.client_secret !== undefined && { client_secret: sealed('client_secret') ?? null }),
    ...(changes.developer_token !== undefined && { developer_token: sealed('developer_token') ?? null }),
    last_modified_at: now,
  })
  if (isSaved) await spread(db, vault, platform)
  return isSaved
}

/**
 * The logins that people have agreed to get the new secrets of the app: those of an app with another id were
 * given for that one and keep what they have.
 */
async function spread(db: Db, vault: Vault, platform: ConnectablePlatform): Promise<void> {
  const app = await openApp(db, vault, platform)
  if (!app) return
  for (const id of await connectedLogins(db, platform)) {
    const saved = await openLogin(db, vault, id).catch((error: unknown) => {
      if (error instanceof SealBroken) return null
      throw error
    })
    const idIn = saved && (saved.login['client_id'] ?? saved.login['app_id'] ?? app.client_id)
    if (saved && idIn === app.client_id)
      await replaceLogin(db, vault, { id, platform, login: withApp(platform, saved.login, app) })
  }
}

/** The login as its connector reads it: some fields of it are the app's. */
export function withApp(
  platform: ConnectablePlatform,
  login: Login,
  { client_secret, developer_token }: { client_secret: string; developer_token: string | null },
): Login {
  const ofApp = { client_secret, app_secret: client_secret, developer_token }
  const { fields } = platformFacts(platform)
  const known = Object.entries(ofApp).flatMap(([field, text]) =>
    Object.hasOwn(fields, field) && text !== null ? [[field, text]] : [],
  )
  return { ...login, ...Object.fromEntries(known) }
}

/** Seals the secrets again that are not sealed with the present key, as `resealLogins` does. */
export async function resealApps(
  db: Db,
  vault: Vault,
): Promise<{ sealed: number; already: number; shut: string[] }> {
  const done = { sealed: 0, already: 0, shut: [] as string[] }
  for (const row of await findApps(db)) {
    const { client_secret, developer_token } = row
    const isOld = [client_secret, developer_token].some(sealed => sealed && vault.isOld(sealed))
    const anew = resealed(row, vault)
    if (anew === null) done.shut.push(row.platform)
    else if (isOld) done.sealed += await replaceAppSecrets(db, row, anew)
    else done.already += 1
  }
  return done
}

/** null: no key opens them. */
function resealed(row: AppRow, vault: Vault) {
  const anew = (field: Secret) => {
    const text = opened(row, field, vault)
    return text === null ? null : vault.seal(text, contextOf(row.platform, field))
  }
  try {
    return { client_secret: anew('client_secret'), developer_token: anew('developer_token') }
  } catch (error) {
    if (error instanceof SealBroken) return null
    throw error
  }
}
