import { z } from 'zod'
import { agePlatforms, ageStates } from '#shared/age-bands.ts'
import { countryCodes } from '#shared/countries.ts'
import { devices, genders, isLanguage, LEAST_AGE, MOST_AGE } from '#shared/target-audiences.ts'
import { distinct, Id, IdText, Instant, listOf, listQuery } from './list.ts'
import { Version } from './money.ts'
import { name, textOrNothing } from './names.ts'

const Location = z
  .strictObject({
    /** ISO 3166-1 alpha-2. */
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, { abort: true })
      .refine(code => countryCodes.includes(code)),
    /** ISO 3166-2, as TW-TPE; of the country. */
    region: z
      .string()
      .regex(/^[A-Z]{2}-[A-Z0-9]{1,3}$/)
      .optional(),
    city: name(80).optional(),
  })
  .refine(({ country, region }) => region === undefined || region.startsWith(`${country}-`), {
    path: ['region'],
  })

const age = z.number().int().min(LEAST_AGE).max(MOST_AGE)
/** Audiences of the same advertiser; none in both. */
const lists = { include: distinct(Id, 10), exclude: distinct(Id, 10) }

const targetAudience = {
  name: name(120),
  age_min: age,
  /** 65: and older. Not below age_min. */
  age_max: age,
  /** Empty: all. */
  genders: distinct(z.enum(genders), genders.length),
  locations: distinct(Location, 50),
  /** BCP 47. */
  languages: distinct(
    z
      .string()
      .regex(/^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?$/, { abort: true })
      .refine(isLanguage),
    20,
  ),
  interests: distinct(name(60), 50),
  devices: distinct(z.enum(devices), devices.length),
  /** A side that is left out stays as it is. */
  audience_lists: z.strictObject(lists).partial(),
  note: textOrNothing(4000),
}

const Band = z.object({ from: z.number().int(), to: z.number().int().nullable() })
/** One for each platform, in the order of agePlatforms. `to` null: and older. */
const Ages = Band.extend({
  platform: z.enum(agePlatforms),
  state: z.enum(ageStates),
  bands: z.array(Band),
  is_widened: z.boolean(),
  /** Ages that the platform has no band for. */
  missing: Band.nullable(),
})

const AudienceName = z.object({ id: Id, name: z.string() })

export const TargetAudience = z.object({
  id: Id,
  version: Version,
  ...targetAudience,
  advertiser: Id,
  advertiser_name: z.string(),
  /** The same with their names. */
  audience_lists: z.object({ include: z.array(AudienceName), exclude: z.array(AudienceName) }),
  /** Its ages as each platform takes them. */
  platforms: z.array(Ages),
  created_by: Id.nullable(),
  created_by_name: z.string().nullable(),
  /** Its maker, or a manager. */
  may_delete: z.boolean(),
  created_at: Instant,
  last_modified_at: Instant,
})
export type TargetAudience = z.infer<typeof TargetAudience>
export const TargetAudienceQuery = listQuery(
  ['id', 'name', 'advertiser', 'age_min', 'last_modified_at'],
  '-id',
).extend({ advertiser: IdText.optional(), audience: IdText.optional() })
export const TargetAudienceList = listOf(TargetAudience)
export type TargetAudienceList = z.infer<typeof TargetAudienceList>
export const CreateTargetAudience = z.strictObject({
  advertiser: Id,
  name: targetAudience.name,
  age_min: age.default(18),
  age_max: age.default(MOST_AGE),
  genders: targetAudience.genders.default([]),
  locations: targetAudience.locations.default([]),
  languages: targetAudience.languages.default([]),
  interests: targetAudience.interests.default([]),
  devices: targetAudience.devices.default([]),
  audience_lists: z
    .strictObject({ include: lists.include.default([]), exclude: lists.exclude.default([]) })
    .default({ include: [], exclude: [] }),
  note: targetAudience.note.default(''),
})
export type CreateTargetAudience = z.input<typeof CreateTargetAudience>
export const UpdateTargetAudience = z.strictObject(targetAudience).partial().extend({ version: Version })
export type UpdateTargetAudience = z.input<typeof UpdateTargetAudience>
