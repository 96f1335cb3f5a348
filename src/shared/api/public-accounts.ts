import { z } from 'zod'
import { services } from '#shared/connect.ts'
import { platforms, type Platform } from '#shared/platforms.ts'
import { Id, Instant, listOf, listQuery } from './list.ts'
import { name } from './names.ts'

const PlatformName = z.enum(Object.keys(platforms) as Platform[])

/** A shared login to a platform. Only the names of its fields ever leave the server. */
export const PublicAccount = z.object({
  id: Id,
  platform: PlatformName,
  name: z.string(),
  /** oauth: a person agreed at the platform; keys: they were entered. */
  kind: z.enum(['oauth', 'keys']),
  /** Who agreed, as the platform calls them; null where it does not say. */
  person_name: z.string().nullable(),
  connected_at: Instant.nullable(),
  /** Which fields of the login are filled in. */
  login_fields: z.array(z.string()),
  /** When the login expires at the platform, as entered by a person. */
  expires_at: Instant.nullable(),
  tested_at: Instant.nullable(),
  /**
   * Of the last test or import: `ok`, or the code of what was wrong; null when there was none since the login
   * was entered.
   */
  test_result: z.string().nullable(),
  /** How many accounts are fetched with it. */
  accounts: z.number().int(),
  created_by: Id.nullable(),
  created_by_name: z.string().nullable(),
  created_at: Instant,
  last_modified_at: Instant,
})
export type PublicAccount = z.infer<typeof PublicAccount>

export const PublicAccountQuery = listQuery(['id', 'name', 'platform', 'tested_at', 'expires_at'], '-id')
export type PublicAccountQuery = z.output<typeof PublicAccountQuery>
export const PublicAccountList = listOf(PublicAccount)
export type PublicAccountList = z.infer<typeof PublicAccountList>

/** A text for each field; what surrounds a pasted text is not part of it, and an empty one is left out. */
const Login = z
  .record(z.string().max(100), z.string().max(20_000))
  .transform(login =>
    Object.fromEntries(
      Object.entries(login).flatMap(([field, text]) => (text.trim() ? [[field, text.trim()]] : [])),
    ),
  )
const Name = name(120)

export const CreatePublicAccount = z.strictObject({
  platform: PlatformName,
  name: Name,
  login: Login,
  expires_at: Instant.nullable().default(null),
})
export type CreatePublicAccount = z.input<typeof CreatePublicAccount>

/** A login is replaced as a whole: fields that are left out are removed. */
export const UpdatePublicAccount = z.strictObject({
  name: Name.optional(),
  login: Login.optional(),
  expires_at: Instant.nullable().optional(),
})
export type UpdatePublicAccount = z.input<typeof UpdatePublicAccount>

/** `ok` and how many accounts came first, or the code of what was wrong and the platform's own words. */
export const TestReply = z.object({
  result: z.string(),
  accounts: z.number().int().optional(),
  message: z.string().optional(),
})
export type TestReply = z.infer<typeof TestReply>

/** How many accounts the login sees, and how many of them are new. */
export const ImportReply = z.object({ accounts: z.number().int(), new: z.number().int() })
export type ImportReply = z.infer<typeof ImportReply>

/** How many accounts are without a login from now on. */
export const DeletePublicAccountReply = z.object({ accounts: z.number().int() })

const Names = z.object({ en: z.string(), 'zh-TW': z.string() })

/** The fields of a login to a platform, and the agency's app there. */
export const PublicAccountPlatform = z.object({
  platform: PlatformName,
  names: Names,
  /** oauth: people can be sent there to agree; keys can be entered for any. */
  kind: z.enum(['oauth', 'keys']),
  /** What a connected login can be used for, and the scopes that are asked for. */
  services: z.array(z.object({ service: z.enum(services), scopes: z.array(z.string()) })),
  client_id: z.string().nullable(),
  has_client_secret: z.boolean(),
  /** Meta: a configuration of Login for Business. */
  config_id: z.string().nullable(),
  /** Google. */
  has_developer_token: z.boolean(),
  /** To be entered at the platform; null where nobody is sent. */
  callback_url: z.string().nullable(),
  /** The app is set up: people can be sent. */
  ready: z.boolean(),
  /** Of the app; 0: there is none yet. */
  version: z.number().int(),
  fields: z.array(
    z.object({
      field: z.string(),
      names: Names,
      /** A secret is never shown again. */
      secret: z.boolean(),
      /** Multi-line. */
      long: z.boolean(),
    }),
  ),
  /** Sets of fields, any one of which is a whole login. */
  needs: z.array(z.array(z.string())),
})
export type PublicAccountPlatform = z.infer<typeof PublicAccountPlatform>
