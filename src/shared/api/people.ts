import { z } from 'zod'
import { identities } from '../access.ts'
import { languages } from '../language.ts'
import { Id, Instant } from './list.ts'

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
export const Contact = z.strictObject({
  type: z.number().int().min(0).max(4),
  value: z.string().min(1).max(200),
})

export const Theme = z.enum(['light', 'dark', 'auto'])

export const User = z.object({
  user_id: Id,
  username: z.string(),
  full_name: z.string(),
  identity: Identity,
  department: z.number().int().nullable(),
  /** 1 employee, 2 client */
  user_type: z.number().int(),
  position: z.string(),
  email: z.string().nullable(),
  contacts: z.array(Contact),
  company_extension: z.string(),
  language: z.enum(languages),
  theme: Theme,
  /** 0 closed, 1 open */
  is_active: z.number().int(),
  /** 0 deleted, 1 employed, 2 resigned, 3 on unpaid leave */
  employment_status: z.number().int(),
  created_at: Instant,
})
export type User = z.infer<typeof User>

/** What everyone may change of themselves; a new password needs the old one. */
export const UpdateUser = z.strictObject({
  full_name: z.string().min(1).max(120).optional(),
  position: z.string().max(120).optional(),
  contacts: z.array(Contact).max(20).optional(),
  company_extension: z.string().max(20).optional(),
  language: z.enum(languages).optional(),
  theme: Theme.optional(),
  password: z.strictObject({ old: z.string().max(1000), new: z.string().max(1000) }).optional(),
})

export type UpdateUser = z.infer<typeof UpdateUser>

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
  /** Business managers that the user has: id to label. */
  availableBM: z.record(z.string(), z.string()),
})
export type IdentityReply = z.infer<typeof IdentityReply>

export const Department = z.object({ id: z.number().int(), name: z.string(), key: z.string() })
