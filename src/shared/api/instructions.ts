import { z } from 'zod'
import { nameOrNothing } from './names.ts'

/** What a client enters at a platform to name the agency, by the field that a superuser sets. */
export const agencyFields = [
  'meta_business_id',
  'google_manager_id',
  'google_address',
  'yahoo_manager_id',
  'tiktok_business_center_id',
  'line_group_id',
] as const
export type AgencyField = (typeof agencyFields)[number]

const value = z.string().nullable()

/** null: neither a superuser nor a shared login says it. */
const AgencyValues = z.object({
  meta_business_id: value,
  google_manager_id: value,
  google_address: value,
  yahoo_manager_id: value,
  tiktok_business_center_id: value,
  line_group_id: value,
} satisfies Record<AgencyField, z.ZodType>)
export type AgencyValues = z.infer<typeof AgencyValues>

/** The values of the instructions, as far as the server knows them. */
export const Instructions = z.object({
  /** Spreadsheets are shared with one of them. */
  system_users: z.array(z.string()),
  /**
   * What clients add as a user: those of the service accounts and of people who have connected, or the one
   * that a superuser has set.
   */
  addresses: z.object({ google_ads: z.array(z.string()), ga4: z.array(z.string()) }),
  /** For a person's consent, by platform. */
  scopes: z.object({ google_ads: z.string(), ga4: z.string() }),
  /** Where platforms send people back to who connect a login. */
  callback_url: z.string(),
  values: AgencyValues,
})
export type Instructions = z.infer<typeof Instructions>

const digits = (least: number, most: number) =>
  z
    .string()
    .trim()
    .regex(new RegExp(`^\\d{${least},${most}}$`))

/** An empty value is null: then the one of the shared login is shown, where it has one. */
export const UpdateInstructions = z.strictObject({
  meta_business_id: digits(5, 20).nullable().optional(),
  google_manager_id: z
    .string()
    .trim()
    .regex(/^\d{3}-?\d{3}-?\d{4}$/)
    .transform(typed => typed.replace(/^(\d{3})-?(\d{3})-?(\d{4})$/, '$1-$2-$3'))
    .nullable()
    .optional(),
  /** Of the person whose consent the logins are, where no service account has one. */
  google_address: z.email().max(254).nullable().optional(),
  yahoo_manager_id: nameOrNothing(60).min(1).nullable().optional(),
  tiktok_business_center_id: digits(5, 25).nullable().optional(),
  line_group_id: z
    .string()
    .trim()
    .regex(/^G\d{5,20}$/)
    .nullable()
    .optional(),
} satisfies Record<AgencyField, z.ZodType>)
export type UpdateInstructions = z.infer<typeof UpdateInstructions>
