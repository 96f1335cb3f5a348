import type {
  FinishConnectReply,
  LoginKeeper,
  LoginPermission,
  LoginService,
} from '#shared/api/connections.ts'
import type { PublicAccount, PublicAccountPlatform } from '#shared/api/public-accounts.ts'
import { isConnectable, scopesOf, servicesOf } from '#shared/connect.ts'
import { platformFacts, type Platform } from '#shared/platforms.ts'

const AT = '2026-11-20T01:00:00.000Z'

export const accountOf = (facts: Partial<PublicAccount> = {}): PublicAccount => ({
  id: 4,
  platform: 'google',
  name: 'Google · mei@agency.demo',
  kind: 'oauth',
  person_name: 'mei@agency.demo',
  connected_at: AT,
  login_fields: ['refresh_token'],
  expires_at: null,
  tested_at: AT,
  test_result: 'ok',
  accounts: 2,
  created_by: 1,
  created_by_name: 'Ada',
  created_at: AT,
  last_modified_at: AT,
  ...facts,
})

export function platformOf(
  platform: Platform,
  facts: Partial<PublicAccountPlatform> = {},
): PublicAccountPlatform {
  const { names, fields, needs } = platformFacts(platform)
  return {
    platform,
    names,
    kind: isConnectable(platform) ? 'oauth' : 'keys',
    services: isConnectable(platform)
      ? servicesOf(platform).map(service => ({ service, scopes: scopesOf(platform, [service]) }))
      : [],
    client_id: 'an-app',
    has_client_secret: true,
    config_id: null,
    has_developer_token: false,
    callback_url: isConnectable(platform) ? 'https://reports.agency.test/oauth/callback' : null,
    ready: true,
    version: 2,
    fields: Object.entries(fields).map(([field, each]) => ({ field, long: false, ...each })),
    needs: needs.map(set => [...set]),
    ...facts,
  }
}

export const serviceOf = (facts: Partial<LoginService> = {}): LoginService => ({
  id: 11,
  public_account: 4,
  service: 'reporting',
  enabled: true,
  missing: [],
  ...facts,
})

export const permissionOf = (facts: Partial<LoginPermission> = {}): LoginPermission => ({
  public_account: 4,
  service: 'reporting',
  scope: 'https://www.googleapis.com/auth/adwords',
  needed: true,
  granted: true,
  checked_at: AT,
  ...facts,
})

export function keeperOf(facts: Partial<LoginKeeper> = {}): LoginKeeper {
  const { name, platform, kind, test_result, tested_at, expires_at } = accountOf()
  return {
    id: 21,
    public_account: 4,
    user: 9,
    user_name: 'Kim Keeper',
    login: { name, platform, kind, test_result, tested_at, expires_at },
    ...facts,
  }
}

export const resultOf = (facts: Partial<FinishConnectReply> = {}): FinishConnectReply => ({
  login: accountOf(),
  services: [serviceOf()],
  code: null,
  scopes: [],
  accounts: { total: 12, new: 10 },
  problem: null,
  ...facts,
})
