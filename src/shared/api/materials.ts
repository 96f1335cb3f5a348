import { z } from 'zod'
import { channelIds } from '#shared/channels/ids.ts'
import { imageTypes } from '#shared/images.ts'
import { imageFormats } from '#shared/materials/image-formats.ts'
import { LONGEST_TAG, MOST_TAGS } from '#shared/materials/limits.ts'
import { publisherTypes } from '#shared/materials/publishers.ts'
import { pixelPlatforms, sitePlatforms } from '#shared/materials/sites.ts'
import { contacts } from './customers.ts'
import { distinct, Id, IdText, Instant, listOf, listQuery } from './list.ts'
import { Version } from './money.ts'
import { name, nameOrNothing, textOrNothing } from './names.ts'

const row = { id: Id, version: Version, created_at: Instant, last_modified_at: Instant }
const maker = {
  created_by: Id.nullable(),
  created_by_name: z.string().nullable(),
  /** Its maker, or a manager. */
  may_delete: z.boolean(),
}
const truth = z.enum(['true', 'false']).transform(text => text === 'true')
const webAddress = z.url({ protocol: /^https?$/ }).max(500)

// Sites.

const Pixel = z.strictObject({ platform: z.enum(pixelPlatforms), id: z.string().regex(/^[\w-]{1,64}$/) })
/** One address is written in one way, so that a site is there once. */
export const SiteUrl = z
  .url({ protocol: /^https?$/, normalize: true, abort: true })
  .refine(url => !/^https?:\/\/[^/?#]*@/.test(url))
  .overwrite(url => url.replace(/#.*$/, ''))
  .max(500)
const site = {
  name: name(120),
  url: SiteUrl,
  platform: z.enum(sitePlatforms),
  is_active: z.boolean(),
  pixels: distinct(Pixel, 10),
}
export const Site = z.object({
  ...row,
  ...site,
  url: z.string(),
  pixels: z.array(z.object({ platform: z.string(), id: z.string() })),
  advertiser: Id,
  advertiser_name: z.string(),
  ...maker,
})
export type Site = z.infer<typeof Site>
export const SiteQuery = listQuery(
  ['id', 'name', 'url', 'advertiser', 'platform', 'last_modified_at'],
  '-id',
).extend({
  advertiser: IdText.optional(),
  platform: z.enum(sitePlatforms).optional(),
  is_active: truth.optional(),
})
export const SiteList = listOf(Site)
export const CreateSite = z.strictObject({
  advertiser: Id,
  name: site.name,
  url: site.url,
  platform: site.platform.default('other'),
  is_active: site.is_active.default(true),
  pixels: site.pixels.default([]),
})
export type CreateSite = z.input<typeof CreateSite>
export const UpdateSite = z.strictObject(site).partial().extend({ version: Version })
export type UpdateSite = z.input<typeof UpdateSite>

// Publishers.

const publisher = {
  name: name(120),
  type: z.enum(publisherTypes),
  /** Where its numbers come from. */
  channel: z.enum(channelIds).nullable(),
  website: z.union([z.literal(''), webAddress]),
  contacts,
  note: textOrNothing(4000),
}
export const Publisher = z.object({ ...row, ...publisher, website: z.string(), ...maker })
export type Publisher = z.infer<typeof Publisher>
export const PublisherQuery = listQuery(['id', 'name', 'type', 'channel', 'last_modified_at'], 'name').extend(
  { type: z.enum(publisherTypes).optional(), channel: z.enum(channelIds).optional() },
)
export const PublisherList = listOf(Publisher)
export const CreatePublisher = z.strictObject({
  name: publisher.name,
  type: publisher.type.default('other'),
  channel: publisher.channel.default(null),
  website: publisher.website.default(''),
  contacts: publisher.contacts.default([]),
  note: publisher.note.default(''),
})
export type CreatePublisher = z.input<typeof CreatePublisher>
export const UpdatePublisher = z.strictObject(publisher).partial().extend({ version: Version })
export type UpdatePublisher = z.input<typeof UpdatePublisher>

// Images and files.

const tag = name(LONGEST_TAG)
const tags = z.array(tag).max(MOST_TAGS)
const material = {
  ...row,
  name: z.string(),
  /** null: the agency's own. */
  advertiser: Id.nullable(),
  advertiser_name: z.string().nullable(),
  tags: z.array(z.string()),
  mime: z.string(),
  /** Bytes. */
  size: z.number().int(),
  /** Of what is served; also its ETag. */
  sha256: z.string(),
  /** Where it is served, for 15 to 20 minutes. */
  url: z.string(),
  /** How many links have it. */
  in_use: z.number().int(),
  uploaded_by: Id.nullable(),
  uploaded_by_name: z.string().nullable(),
  /** Who uploaded it, or a manager. */
  may_delete: z.boolean(),
  /** Of an upload: the same was there already. */
  duplicate: z.boolean().optional(),
}
export const Image = z.object({
  ...material,
  mime: z.enum(imageTypes),
  /** Pixels. */
  width: z.number().int(),
  height: z.number().int(),
  is_animated: z.boolean(),
  /** Those that it meets. */
  formats: z.array(z.enum(imageFormats)),
  /** WebP, by their longest side; never larger than the image. */
  previews: z.object({ 320: z.string(), 1280: z.string() }),
})
export type Image = z.infer<typeof Image>
export const File = z.object(material)
export type File = z.infer<typeof File>

const materialFilters = {
  advertiser: IdText.optional(),
  /** Those of no advertiser. */
  is_agency: truth.optional(),
  tag: tag.optional(),
  /** Whether a link has it. */
  is_used: truth.optional(),
}
const fields = ['id', 'name', 'advertiser', 'size', 'last_modified_at'] as const
export const ImageQuery = listQuery([...fields, 'width'], '-id').extend({
  ...materialFilters,
  /** One of its formats. */
  meets: z.enum(imageFormats).optional(),
})
export const FileQuery = listQuery([...fields, 'mime'], '-id').extend(materialFilters)
export const ImageList = listOf(Image)
export type ImageList = z.infer<typeof ImageList>
export const FileList = listOf(File)
export type FileList = z.infer<typeof FileList>

/**
 * The texts of an upload, multipart/form-data: they come before `file`, whose own name is the default of
 * `name`.
 */
export const UploadFields = z.strictObject({
  /** Left out: the agency's own. */
  advertiser: IdText.optional(),
  name: name(200).optional(),
  /** A JSON array. */
  tags: z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text)
      } catch {
        context.addIssue({ code: 'custom' })
        return z.NEVER
      }
    })
    .pipe(tags)
    .optional(),
})
export const UpdateMaterial = z
  .strictObject({ name: name(200), tags })
  .partial()
  .extend({ version: Version })
export type UpdateMaterial = z.input<typeof UpdateMaterial>

/** A copy that is cut to a format, from the middle, and never enlarged. */
export const FitImage = z.strictObject({ format: z.enum(imageFormats) })

/** Every tag of those that one sees, by how often. */
export const MaterialTags = z.array(z.object({ tag: z.string(), count: z.number().int() }))

/** Bytes used and allowed; of an advertiser, or of the agency itself. */
export const StorageUse = z.object({ used: z.number().int(), allowed: z.number().int() })
export const StorageQuery = z.object({ advertiser: IdText.optional() })

export const ContentQuery = z.object({
  /** Of an image's preview. */
  size: z.enum(['320', '1280']).optional(),
  expires: z.string().regex(/^\d{1,12}$/),
  signature: nameOrNothing(64),
})
