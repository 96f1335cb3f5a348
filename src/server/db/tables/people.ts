import type { ColumnType, Generated } from 'kysely'
import type { IdentityName } from '#shared/access.ts'
import type { Language } from '#shared/language.ts'
import type { MailChoice } from '#shared/notices.ts'
import type { GeneratedJson } from './json.ts'

export interface UsersTable {
  id: Generated<number>
  username: string
  full_name: Generated<string>
  identity: IdentityName
  department: number | null
  user_type: number
  /** As it is stored: of employees it counts for nothing. */
  plan: Generated<number>
  position: Generated<string>
  email: string | null
  email_confirmed: Generated<boolean>
  contacts: GeneratedJson<{ type: number; value: string }[]>
  company_extension: Generated<string>
  language: Generated<Language>
  theme: Generated<'light' | 'dark' | 'auto'>
  mail_notices: Generated<MailChoice>
  is_active: Generated<number>
  employment_status: Generated<number>
  password_hash: string | null
  created_at: Generated<Date>
  last_modified_at: Generated<Date>
}

export interface RefreshFamilyTable {
  id: string
  user_id: number
  created_at: Date
  revoked_at: Date | null
  revoked_because:
    | 'signed_out'
    | 'signed_out_everywhere'
    | 'reused'
    | 'password_changed'
    | 'closed'
    | 'role_changed'
    | 'second_factor'
    | null
  address: string | null
  user_agent: string | null
  last_used_at: ColumnType<Date | null, never, Date>
}

export interface RefreshTokenTable {
  id: string
  family: string
  issued_at: Date
  expires_at: Date
  rotated_at: ColumnType<Date | null, never, Date>
  child: ColumnType<string | null, never, string>
}

export interface SignInFailureTable {
  id: Generated<number>
  username: string
  address: string
  at: Date
}

export interface RefusedSignInTable {
  id: Generated<number>
  address: string
  name: string
  began_at: Date
  ends_at: Date
  more: Generated<number>
  usernames: Generated<string[]>
  addresses: Generated<string[]>
}

export interface PasswordLinkTable {
  token_hash: Uint8Array
  user_id: number
  created_at: Date
  expires_at: Date
  used_at: Date | null
}

export interface SecondFactorTable {
  user_id: number
  secret: Uint8Array
  enabled_at: Date
  last_step: number
  wrong_codes: Generated<number>
  wrong_since: Date | null
}
