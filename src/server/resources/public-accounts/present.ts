import type { LoginKeeper, LoginPermission, LoginService } from '#shared/api/connections.ts'
import type { PublicAccount } from '#shared/api/public-accounts.ts'
import type { KeeperRow, PermissionRow, ServiceRow } from './connection-queries.ts'
import type { PublicAccountRow } from './queries.ts'

/** Field by field, so that a new column is never exposed by accident. */
export const presentAccount = (account: PublicAccountRow): PublicAccount => ({
  id: account.id,
  platform: account.platform,
  name: account.name,
  kind: account.kind,
  person_name: account.person_name,
  connected_at: account.connected_at?.toISOString() ?? null,
  login_fields: account.login_fields,
  expires_at: account.expires_at?.toISOString() ?? null,
  tested_at: account.tested_at?.toISOString() ?? null,
  test_result: account.test_result,
  accounts: account.accounts,
  created_by: account.created_by,
  created_by_name: account.created_by_name,
  created_at: account.created_at.toISOString(),
  last_modified_at: account.last_modified_at.toISOString(),
})

export const presentServices = (
  services: readonly ServiceRow[],
  permissions: readonly PermissionRow[],
): LoginService[] =>
  services.map(({ id, public_account, service, enabled }) => ({
    id,
    public_account,
    service,
    enabled,
    missing: permissions
      .filter(each => each.public_account === public_account && each.service === service)
      .flatMap(({ scope, granted }) => (granted === false ? [scope] : [])),
  }))

export const presentPermission = (row: PermissionRow): LoginPermission => ({
  public_account: row.public_account,
  service: row.service,
  scope: row.scope,
  needed: row.needed,
  granted: row.granted,
  checked_at: row.checked_at.toISOString(),
})

export const presentKeeper = (row: KeeperRow): LoginKeeper => ({
  id: row.id,
  public_account: row.public_account,
  user: row.user_id,
  user_name: row.user_name,
  login: {
    name: row.name,
    platform: row.platform,
    kind: row.kind,
    test_result: row.test_result,
    tested_at: row.tested_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
  },
})
