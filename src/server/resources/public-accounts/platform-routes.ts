import { z } from 'zod'
import { PlatformPath, UpdatePlatformApp } from '#shared/api/connections.ts'
import { PublicAccountPlatform } from '#shared/api/public-accounts.ts'
import { isConnectable, scopesOf, servicesOf, type ConnectablePlatform } from '#shared/connect.ts'
import { platformFacts, type Platform } from '#shared/platforms.ts'
import { sources } from '#server/connectors/all.ts'
import type { Effects } from '#server/http/effects.ts'
import { refuse, type FieldProblem } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { findApp, findApps, type AppRow } from './app-queries.ts'
import { callbackUrl, changeApp, type AppChanges } from './apps.ts'

const PATH = '/api/public-account-platform/'

const list = route('GET', PATH, {
  summary: 'List the platforms: the fields of a login, what it can be used for, and the agency’s app there.',
  level: 'superuser',
  reply: z.array(PublicAccountPlatform),
  async run({ db, effects }) {
    const apps = new Map<Platform, AppRow>((await findApps(db)).map(app => [app.platform, app]))
    return (Object.keys(sources) as Platform[]).map(platform =>
      present(platform, apps.get(platform), effects),
    )
  },
})

const update = route('PATCH', `${PATH}:platform/`, {
  summary: 'Set up the agency’s app at a platform. Secrets are stored encrypted and never returned.',
  level: 'superuser',
  params: PlatformPath,
  body: UpdatePlatformApp,
  reply: PublicAccountPlatform,
  async run({ params: { platform }, body: { version, ...changes }, user, db, now, effects }) {
    refuseForeign(platform, changes)
    if (!(await changeApp(db, effects.vault, { platform, version, changes, now }))) {
      const newer = await findApp(db, platform)
      throw refuse('conflict', { extra: { platform: present(platform, newer ?? undefined, effects) } })
    }
    await writeAudit(
      db,
      {
        actor: user.id,
        action: 'connection.change',
        object: 'platform_app',
        object_id: platform,
        detail: { platform, fields: Object.keys(changes) },
      },
      now,
    )
    return present(platform, (await findApp(db, platform)) ?? undefined, effects)
  },
})

/** What only one platform's app has. */
const OWNERS: Partial<Record<keyof AppChanges, ConnectablePlatform>> = {
  config_id: 'meta',
  developer_token: 'google',
}

function refuseForeign(platform: ConnectablePlatform, changes: AppChanges) {
  const fields: Record<string, FieldProblem[]> = {}
  for (const [field, owner] of Object.entries(OWNERS))
    if (Object.hasOwn(changes, field) && owner !== platform) fields[field] = ['field_not_available']
  if (Object.keys(fields).length > 0) throw refuse('invalid', { fields })
}

function present(platform: Platform, app: AppRow | undefined, effects: Effects): PublicAccountPlatform {
  const { names, fields, needs } = platformFacts(platform)
  const connectable = isConnectable(platform) ? platform : null
  return {
    platform,
    names,
    kind: connectable ? 'oauth' : 'keys',
    services: connectable
      ? servicesOf(connectable).map(service => ({ service, scopes: scopesOf(connectable, [service]) }))
      : [],
    client_id: app?.client_id ?? null,
    has_client_secret: Boolean(app?.client_secret),
    config_id: app?.config_id ?? null,
    has_developer_token: Boolean(app?.developer_token),
    callback_url: connectable && callbackUrl(effects),
    ready: Boolean(app?.client_id && app.client_secret),
    version: app?.version ?? 0,
    fields: Object.entries(fields).map(([field, facts]) => ({
      field,
      names: facts.names,
      secret: facts.secret,
      long: facts.long ?? false,
    })),
    needs: needs.map(set => [...set]),
  }
}

export const platformRoutes = [list, update]
