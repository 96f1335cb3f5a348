import { z } from 'zod'
import { identities, spreadsheetCreations } from '#shared/access.ts'
import { languages } from '#shared/language.ts'
import { mailChoices } from '#shared/notices.ts'
import { Id, IdText, Instant, listOf, listQuery } from './list.ts'
import { name, nameOrNothing, username } from './names.ts'

export const Identity = z.enum(identities)

export const departments = {
  1: { names: { en: 'General manager', 'zh-TW': '總經理室' }, key: 'general_manager' },
  2: { names: { en: 'Business team A', 'zh-TW': '業務 A 組' }, key: 'business_team_a' },
  3: { names: { en: 'Business team B', 'zh-TW': '業務 B 組' }, key: 'business_team_b' },
  4: { names: { en: 'Business global', 'zh-TW': '海外業務' }, key: 'business_global' },
  5: { names: { en: 'Business development', 'zh-TW': '業務開發' }, key: 'business_development' },
  6: { names: { en: 'Research and development', 'zh-TW': '研發' }, key: 'research_development' },
  7: { names: { en: 'Finance', 'zh-TW': '財務' }, key: 'finance' },
} as const

/** 0 other, 1 mobile, 2 e-mail, 3 Facebook ID, 4 Line ID */
export const Contact = z.object({ type: z.number().int(), value: z.string() })
export type Contact = z.infer<typeof Contact>

/** As it is entered; what a value of each type must look like is in the people's rules. */
const NewContact = z.strictObject({ type: z.number().int().min(0).max(4), value: name(120) })

/** An account has so many contacts at most. */
export const CONTACT_LIMIT = 10
const contacts = z.array(NewContact).max(CONTACT_LIMIT)
const extension = z
  .string()
  .trim()
  .max(10)
  .regex(/^[0-9#*,-]*$/)

export const Theme = z.enum(['light', 'dark', 'auto'])

/**
 * Of the agency's people a client sees the name and the state: the rest is null. What a person has set for
 * themselves, such as the theme, is for them and superusers.
 */
export const User = z.object({
  user_id: Id,
  username: z.string().nullable(),
  full_name: z.string(),
  identity: Identity.nullable(),
  department: z.number().int().nullable(),
  /** 1 employee, 2 client */
  user_type: z.number().int(),
  /** 0 basic, 1 advanced. Employees have the advanced one. */
  plan: z.number().int().nullable(),
  position: z.string().nullable(),
  email: z.string().nullable(),
  contacts: z.array(Contact).nullable(),
  company_extension: z.string().nullable(),
  language: z.enum(languages).nullable(),
  theme: Theme.nullable(),
  /** Which notices go to the e-mail address. */
  mail_notices: z.enum(mailChoices).nullable(),
  /** 0 closed, 1 open */
  is_active: z.number().int(),
  /** 0 deleted, 1 employed, 2 resigned, 3 on unpaid leave */
  employment_status: z.number().int(),
  /** Whether signing in takes a code beside the password; for superusers alone. */
  has_second_factor: z.boolean().optional(),
  /** How many reports they own, without deleted ones; for superusers alone. */
  reports: z.number().int().optional(),
  created_at: Instant.nullable(),
})
export type User = z.infer<typeof User>

/** What everyone may change of themselves; a new password needs the old one. */
export const UpdateUser = z.strictObject({
  full_name: name(80).optional(),
  position: nameOrNothing(80).optional(),
  contacts: contacts.optional(),
  company_extension: extension.optional(),
  language: z.enum(languages).optional(),
  theme: Theme.optional(),
  mail_notices: z.enum(mailChoices).optional(),
  password: z.strictObject({ old: z.string().max(1000), new: z.string().max(1000) }).optional(),
})

export type UpdateUser = z.infer<typeof UpdateUser>

const account = {
  full_name: name(80),
  identity: Identity,
  /** The agency's own people need one, clients have none. */
  department: z.number().int().min(1).max(7).nullable(),
  /** 0 basic, 1 advanced: of clients alone. */
  plan: z.number().int().min(0).max(1),
  position: nameOrNothing(80),
  /** A superuser vouches for it: it proves control of spreadsheets. */
  email: z.email().max(254).nullable(),
  contacts,
  company_extension: extension,
  language: z.enum(languages),
}

/** An account as a superuser creates it; it has no password until its link is used. */
export const CreateUser = z.strictObject({
  /** What the person signs in with; fixed from then on, and never given to another one. */
  username: username(64).refine(typed => typed.length >= 3, { params: { code: 'field_invalid' } }),
  full_name: account.full_name,
  identity: account.identity,
  department: account.department.default(null),
  plan: account.plan.optional(),
  position: account.position.default(''),
  email: account.email.default(null),
  contacts: account.contacts.default([]),
  company_extension: account.company_extension.default(''),
  language: account.language.default('en'),
  /** Advertisers that the person serves or belongs to. */
  advertisers: z.array(Id).max(200).default([]),
})
export type CreateUser = z.infer<typeof CreateUser>

export const UpdateAccount = z.strictObject({
  full_name: account.full_name.optional(),
  identity: account.identity.optional(),
  department: account.department.optional(),
  plan: account.plan.optional(),
  position: account.position.optional(),
  email: account.email.optional(),
  contacts: account.contacts.optional(),
  company_extension: account.company_extension.optional(),
  language: account.language.optional(),
  is_active: z.number().int().min(0).max(1).optional(),
  employment_status: z.number().int().min(0).max(3).optional(),
  advertisers: z.array(Id).max(200).optional(),
})
export type UpdateAccount = z.infer<typeof UpdateAccount>

const userOrder = ['id', 'username', 'full_name', 'department', 'position', 'created_at'] as const
export const UserQuery = listQuery(userOrder, '-id').extend({
  department: z.enum(['1', '2', '3', '4', '5', '6', '7']).transform(Number).optional(),
  user_type: z.enum(['1', '2']).transform(Number).optional(),
  is_active: z.enum(['0', '1']).transform(Number).optional(),
  employment: z.enum(['0', '1', '2', '3']).transform(Number).optional(),
  plan: z.enum(['0', '1']).transform(Number).optional(),
  advertiser: IdText.optional(),
})
export type UserQuery = z.infer<typeof UserQuery>
export const UserList = listOf(User)

/** For a superuser to pass on: it works once, for 24 hours. */
export const PasswordLink = z.object({ url: z.string(), expires_at: Instant })

/**
 * An account with the advertisers that the person serves or belongs to, as far as the caller may use them.
 */
export const Account = User.extend({ advertisers: z.array(Id) })
export type Account = z.infer<typeof Account>

/**
 * `keep_folders`: folders of the same names are created at the new owner’s; else the reports come to the top
 * level. `take_back`: the reports were theirs before and go back to their former folders, with the sharing
 * that had ended; all of them or none.
 */
export const TransferReports = z.strictObject({
  to: Id,
  reports: z.array(Id).max(1000).optional(),
  keep_folders: z.boolean().default(false),
  take_back: z.boolean().default(false),
})
export const TransferReply = z.object({ reports: z.number().int() })

/** `to`: whose access is checked. */
export const TransferQuery = z.object({ to: IdText.optional() })
/**
 * The reports of the person, and what of them the new owner could not use: reports would run without that.
 */
export const TransferPlan = z.object({
  reports: z.array(
    z.object({
      id: Id,
      name: z.string(),
      /** Path of folders, outermost first. */
      folder: z.array(z.string()),
      lost_accounts: z.array(z.object({ id: Id, name: z.string() })),
      loses_spreadsheet: z.boolean(),
      /**
       * Whether the transfer could be undone: its present owner has an open account and, being a client, all
       * its accounts.
       */
      may_return: z.boolean(),
    }),
  ),
  /** Reports beyond the limit of one call. */
  left_out: z.number().int(),
})
export type TransferPlan = z.infer<typeof TransferPlan>

export const IdentityReply = z.object({
  user_id: Id,
  username: z.string(),
  full_name: z.string(),
  identity: Identity,
  level: z.number().int(),
  department: z.number().int().nullable(),
  user_type: z.number().int(),
  language: z.enum(languages),
  theme: Theme,
  /** The role needs a second factor: nothing else is answered before it is set up. */
  second_factor_setup_required: z.boolean(),
  /** Whether this is the demo, whose mails can be read. */
  has_mailbox: z.boolean(),
  /** Whether campaign links can be checked. */
  has_link_checks: z.boolean(),
  /** Of the organisation: what new reports begin with. */
  time_zone: z.string(),
  /** Whether spreadsheets can be created for the user, or why not. */
  spreadsheet_creation: z.enum(spreadsheetCreations),
  /** Business managers that the user has: id to label. */
  availableBM: z.record(z.string(), z.string()),
  /**
   * Of a client: who serves their advertisers at the agency, which messages name. Empty for its own people.
   */
  specialists: z.array(z.object({ name: z.string(), email: z.string().nullable() })),
})
export type IdentityReply = z.infer<typeof IdentityReply>

/** `people`: how many have an open account; for the agency's own people. */
export const Department = z.object({
  id: z.number().int(),
  name: z.string(),
  key: z.string(),
  people: z.number().int().optional(),
})
