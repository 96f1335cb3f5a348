import { z } from 'zod'
import { isConnectable, services, type ConnectablePlatform } from '#shared/connect.ts'
import { platforms, type Platform } from '#shared/platforms.ts'
import { Id, IdText, Instant } from './list.ts'
import { PublicAccount } from './public-accounts.ts'

// Connecting a login: a person agrees at the platform, and comes back with a code.

export const Service = z.enum(services)
export const ConnectablePlatformName = z.enum(
  (Object.keys(platforms) as Platform[]).filter(isConnectable) as [ConnectablePlatform],
)

/** What cannot be in a client id, a secret or a token: white space. */
const KEY = /^[\x21-\x7e]{1,500}$/
const Key = z.string().trim().regex(KEY)

/** The agency's own app at a platform; null removes a value. Secrets are never shown again. */
export const UpdatePlatformApp = z.strictObject({
  /** 0: there is none yet. */
  version: z.number().int().min(0),
  client_id: Key.nullable().optional(),
  client_secret: Key.nullable().optional(),
  config_id: Key.nullable().optional(),
  developer_token: Key.nullable().optional(),
})
export type UpdatePlatformApp = z.input<typeof UpdatePlatformApp>
export const PlatformPath = z.object({ platform: ConnectablePlatformName })

export const StartConnect = z.strictObject({
  platform: ConnectablePlatformName,
  /** Left out when a login is connected again: what it is used for already. */
  services: z.array(Service).min(1).max(services.length).optional(),
  /** The login that is connected again. */
  public_account: Id.optional(),
})
export type StartConnect = z.input<typeof StartConnect>

/** The page of the platform, and what the browser shows to prove that it is the one that asked. */
export const StartConnectReply = z.object({ url: z.string(), nonce: z.string(), expires_at: Instant })
export type StartConnectReply = z.infer<typeof StartConnectReply>

/** What the platform has sent the person back with: a code, or its error. */
export const FinishConnect = z.strictObject({
  state: z.string().max(200),
  nonce: z.string().max(200),
  code: z.string().min(1).max(4000).optional(),
  error: z.string().min(1).max(200).optional(),
  /** After `connect_other_person`, instead of the code; false: it was not meant, and is given back. */
  confirm_other_person: z.boolean().optional(),
})
export type FinishConnect = z.input<typeof FinishConnect>

export const LoginService = z.object({
  id: Id,
  public_account: Id,
  service: Service,
  enabled: z.boolean(),
  /** Scopes that were not granted. */
  missing: z.array(z.string()),
})
export type LoginService = z.infer<typeof LoginService>

export const FinishConnectReply = z.object({
  login: PublicAccount,
  services: z.array(LoginService),
  /** `scope_missing`: not all that was asked for was granted; `scopes` has the rest. */
  code: z.literal('scope_missing').nullable(),
  scopes: z.array(z.string()),
  /** The ad accounts that can be imported; null: it is not for reports, or `problem` says why. */
  accounts: z.object({ total: z.number().int(), new: z.number().int() }).nullable(),
  problem: z.string().nullable(),
})
export type FinishConnectReply = z.infer<typeof FinishConnectReply>

export const OfLoginQuery = z.object({ public_account: IdText.optional() })
export const UpdateLoginService = z.strictObject({ enabled: z.boolean() })

export const LoginPermission = z.object({
  public_account: Id,
  service: Service,
  scope: z.string(),
  /** Whether the login is used for its service. */
  needed: z.boolean(),
  /** null: the platform does not tell. */
  granted: z.boolean().nullable(),
  checked_at: Instant,
})
export type LoginPermission = z.infer<typeof LoginPermission>
export const CheckPermissions = z.strictObject({ public_account: Id })

/** Keepers get the notices of a login and may connect it again. */
export const LoginKeeper = z.object({
  id: Id,
  public_account: Id,
  user: Id,
  user_name: z.string().nullable(),
  /** For keepers, who see no more of it. */
  login: PublicAccount.pick({
    name: true,
    platform: true,
    kind: true,
    test_result: true,
    tested_at: true,
    expires_at: true,
  }),
})
export type LoginKeeper = z.infer<typeof LoginKeeper>
export const CreateLoginKeeper = z.strictObject({ public_account: Id, user: Id })

const Stops = z.object({ count: z.number().int(), names: z.array(z.string()) })
/** What ends with a login; the first names of each. */
export const Disconnection = z.object({
  accounts: z.number().int(),
  reports: Stops,
  audiences: Stops,
  /** Whether the consent is taken back at the platform, which not every one has a way to. */
  revokes: z.boolean(),
})
export type Disconnection = z.infer<typeof Disconnection>

export const DisconnectReply = z.object({
  /** How many accounts are without a login from now on. */
  accounts: z.number().int(),
  /** False: the person has to take the consent back at the platform. */
  revoked: z.boolean(),
})
export type DisconnectReply = z.infer<typeof DisconnectReply>
