import { z } from 'zod'
import { ga4Channels } from '#shared/links/channels.ts'
import { checkOutcomes } from '#shared/links/check-outcomes.ts'
import {
  MOST_BULK_ROWS,
  MOST_EXTRA,
  MOST_EXTRA_KEY_LENGTH,
  MOST_EXTRA_VALUE_LENGTH,
  MOST_LANDING_LENGTH,
  MOST_LINK_NAME_LENGTH,
  MOST_UTM_LENGTH,
  utmFields,
  type UtmField,
} from '#shared/links/parameters.ts'
import { linkPlatforms } from '#shared/links/platforms.ts'
import { linkWarnings } from '#shared/links/warnings.ts'
import { Id, IdText, Instant, listOf, listQuery } from './list.ts'
import { Version } from './money.ts'
import { name, nameOrNothing } from './names.ts'

const row = { id: Id, version: Version, created_at: Instant, last_modified_at: Instant }
const maker = {
  created_by: Id.nullable(),
  created_by_name: z.string().nullable(),
  /** Its maker, or a manager. */
  may_delete: z.boolean(),
}
/** null: the agency's own. */
const ofAdvertiser = { advertiser: Id.nullable(), advertiser_name: z.string().nullable() }

/** One schema for each parameter. */
const parameters = <Schema extends z.ZodType>(schema: Schema) =>
  Object.fromEntries(utmFields.map(field => [field, schema])) as Record<UtmField, Schema>

const value = nameOrNothing(MOST_UTM_LENGTH)
const Extra = z
  .array(z.strictObject({ key: name(MOST_EXTRA_KEY_LENGTH), value: nameOrNothing(MOST_EXTRA_VALUE_LENGTH) }))
  .max(MOST_EXTRA)
const Platform = z.enum(linkPlatforms)

// Links.

export const LinkCheck = z.object({
  outcome: z.enum(checkOutcomes),
  hops: z.array(z.object({ url: z.string(), status: z.number().int().nullable() })),
  checked_at: Instant,
})

export const Link = z.object({
  ...row,
  name: z.string(),
  advertiser: Id,
  advertiser_name: z.string(),
  site: Id.nullable(),
  site_name: z.string().nullable(),
  publisher: Id.nullable(),
  publisher_name: z.string().nullable(),
  /** The creative that people see before they follow it. */
  image: Id.nullable(),
  image_name: z.string().nullable(),
  file: Id.nullable(),
  file_name: z.string().nullable(),
  preset: Id.nullable(),
  preset_name: z.string().nullable(),
  /** Whose placeholders its values may have; null: none. */
  platform: Platform.nullable(),
  landing_url: z.string(),
  /** An empty one is not in the link. */
  ...parameters(z.string()),
  extra: z.array(z.object({ key: z.string(), value: z.string() })),
  /** The whole address. */
  link: z.string(),
  ga4_channel: z.enum(ga4Channels),
  /** What may be wrong with it: a code and the field that it concerns. */
  warnings: z.array(z.object({ code: z.enum(linkWarnings), field: z.string() })),
  /** null: it has not been checked since it was changed. */
  check: LinkCheck.nullable(),
  ...maker,
})
export type Link = z.infer<typeof Link>

export const LinkQuery = listQuery(
  ['id', 'name', 'advertiser', 'utm_source', 'utm_medium', 'utm_campaign', 'ga4_channel', 'last_modified_at'],
  '-id',
).extend({
  advertiser: IdText.optional(),
  site: IdText.optional(),
  publisher: IdText.optional(),
  image: IdText.optional(),
  file: IdText.optional(),
  platform: Platform.optional(),
  ga4_channel: z.enum(ga4Channels).optional(),
})
export const LinkList = listOf(Link)
export type LinkList = z.infer<typeof LinkList>

const link = {
  name: name(MOST_LINK_NAME_LENGTH),
  site: Id.nullable(),
  publisher: Id.nullable(),
  image: Id.nullable(),
  file: Id.nullable(),
  platform: Platform.nullable(),
  landing_url: z.string().trim().min(1).max(MOST_LANDING_LENGTH),
  ...parameters(value),
  extra: Extra,
}
/**
 * What is left out comes from the preset; without one the source, medium and campaign are required, which is
 * checked by rule.
 */
export const CreateLink = z.strictObject({
  advertiser: Id,
  preset: Id.nullable().default(null),
  /** Left out: source · campaign. */
  name: link.name.optional(),
  site: link.site.default(null),
  publisher: link.publisher.default(null),
  image: link.image.default(null),
  file: link.file.default(null),
  /** Left out: the preset's. */
  platform: link.platform.optional(),
  landing_url: link.landing_url,
  ...parameters(value.optional()),
  extra: link.extra.default([]),
})
export type CreateLink = z.input<typeof CreateLink>
/** The preset that it was made with applies to the whole of it. */
export const UpdateLink = z.strictObject(link).partial().extend({ version: Version })
export type UpdateLink = z.input<typeof UpdateLink>

export const BulkLinksQuery = z.object({
  /** Only says what would happen. */
  dry_run: z
    .enum(['true', 'false'])
    .default('false')
    .transform(text => text === 'true'),
})
export const BulkLinks = z.strictObject({
  /** For the rows that name none. */
  preset: Id.nullable().default(null),
  /** Bodies of `POST /api/ad/`, read one by one: what is wrong with one is a problem of its row. */
  rows: z.array(z.unknown()).min(1).max(MOST_BULK_ROWS),
})
export type BulkLinks = Omit<z.input<typeof BulkLinks>, 'rows'> & { rows: CreateLink[] }
/**
 * same: links of the advertiser that are there already, or twice in the request. One problem, and nothing is
 * written: without `dry_run` the same facts are a 400. `row` counts from 1; at most 200 problems are named.
 */
export const BulkLinksReply = z.object({
  create: z.number().int(),
  same: z.number().int(),
  problems: z.array(z.object({ row: z.number().int(), field: z.string(), code: z.string() })),
})
export type BulkLinksReply = z.infer<typeof BulkLinksReply>

// Presets.

const Values = z.strictObject(parameters(value.optional()))
const Allowed = z.strictObject(parameters(z.array(name(MOST_UTM_LENGTH)).min(1).max(100).optional()))

export const LinkPreset = z.object({
  ...row,
  ...ofAdvertiser,
  name: z.string(),
  platform: Platform.nullable(),
  /** What a link gets where nothing is entered. */
  values: z.object(parameters(z.string().optional())),
  /** Fields that keep the preset's value. */
  locked: z.array(z.enum(utmFields)),
  /** Of these fields, only these values. */
  allowed: z.object(parameters(z.array(z.string()).optional())),
  ...maker,
  /** An agency's preset is changed by managers. */
  may_change: z.boolean(),
})
export type LinkPreset = z.infer<typeof LinkPreset>
export const LinkPresetQuery = listQuery(['id', 'name', 'last_modified_at'], 'name').extend({
  /** Those for an advertiser's links: its own and the agency's. */
  advertiser: IdText.optional(),
  platform: Platform.optional(),
})
export const LinkPresetList = listOf(LinkPreset)
const preset = {
  name: name(120),
  platform: Platform.nullable(),
  values: Values,
  locked: z.array(z.enum(utmFields)).max(utmFields.length),
  allowed: Allowed,
}
export const CreateLinkPreset = z.strictObject({
  advertiser: Id.nullable(),
  name: preset.name,
  platform: preset.platform.default(null),
  values: preset.values.default({}),
  locked: preset.locked.default([]),
  allowed: preset.allowed.default({}),
})
export type CreateLinkPreset = z.input<typeof CreateLinkPreset>
export const UpdateLinkPreset = z.strictObject(preset).partial().extend({ version: Version })
export type UpdateLinkPreset = z.input<typeof UpdateLinkPreset>
