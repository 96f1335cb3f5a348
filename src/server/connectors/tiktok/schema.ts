import { z } from 'zod'
import type { Io } from '#server/connectors/connector.ts'
import { RowList } from '#server/connectors/kit/byte-rows.ts'
import { Zone } from '#server/connectors/kit/zone.ts'

export const TikTokLogin = z.object({
  access_token: z.string().min(1),
  app_id: z.string().min(1),
  app_secret: z.string().min(1),
})
export type TikTokLogin = z.infer<typeof TikTokLogin>
export type TikTokIo = Io<TikTokLogin>

/** What every response comes in, refusals too. */
export const Envelope = z.object({
  code: z.int(),
  message: z.string().default(''),
  request_id: z.string().optional(),
  data: z.unknown(),
})
export type Envelope = z.infer<typeof Envelope>

const Id = z.string().regex(/^\d+$/)

/** Rows are read field by field in columns.ts; a schema per row would cost more than parsing it. */
export const ReportPage = z.object({
  list: RowList,
  page_info: z.object({ total_number: z.int().nonnegative(), total_page: z.int().nonnegative() }),
})
export type ReportPage = z.infer<typeof ReportPage>

export const NewTask = z.object({ task_id: z.union([Id, z.int().transform(String)]) })

export const Task = z.object({
  status: z.enum(['QUEUING', 'PROCESSING', 'SUCCESS', 'FAILED', 'CANCELED']),
  message: z.string().optional(),
})
export type Task = z.infer<typeof Task>

const PageInfo = z.object({ total_page: z.int().nonnegative() })

export const AuthorizedAdvertisers = z.object({ list: z.array(z.object({ advertiser_id: Id })) })

export const BusinessCenters = z.object({
  list: z.array(z.object({ bc_info: z.object({ bc_id: Id }) })),
  page_info: PageInfo,
})

export const BusinessAssets = z.object({
  list: z.array(z.object({ asset_id: Id, relation_status: z.string().optional() })),
  page_info: PageInfo,
})

export const Entities = z.object({
  list: z.array(z.record(z.string(), z.unknown())),
  page_info: PageInfo,
})

const Advertiser = z
  .object({
    advertiser_id: Id,
    name: z.string(),
    currency: z.string().regex(/^[A-Z]{3}$/),
    timezone: Zone,
    display_timezone: Zone.nullish(),
    status: z.string(),
    company: z.string().nullish(),
  })
  .transform(advertiser => ({
    provider: 'tiktok' as const,
    external_id: advertiser.advertiser_id,
    name: advertiser.name,
    currency: advertiser.currency,
    // `timezone` may be Etc/GMT-8, with the sign of that database: eight hours ahead of UTC.
    timezone: advertiser.display_timezone ?? advertiser.timezone,
    status: advertiser.status === 'STATUS_ENABLE' ? ('enabled' as const) : ('disabled' as const),
    owner_name: advertiser.company || null,
    via: null,
    analytics: null,
  }))

export const AdvertiserInfo = z.object({ list: z.array(Advertiser) })

/** Who owns an advertiser, and whether it may advertise. */
export const AdvertiserOwner = z.object({
  list: z.array(z.object({ advertiser_id: Id, status: z.string(), owner_bc_id: z.string().nullish() })),
})

export const UploadedFile = z.object({ file_path: z.string().min(1) })
export const NewAudience = z.object({ custom_audience_id: Id })
/** What a call answers that only changes something. */
export const Nothing = z.unknown()

/** 2026-11-20 04:00:00, in UTC. */
const Time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  .transform(text => new Date(`${text.replace(' ', 'T')}Z`))

const AudienceNode = z.object({
  audience_id: Id,
  name: z.string(),
  cover_num: z.int().nonnegative().nullish(),
  is_valid: z.boolean(),
  create_time: Time,
  expired_time: Time.nullish(),
})
export type AudienceNode = z.infer<typeof AudienceNode>
export const AudienceList = z.object({ list: z.array(AudienceNode), page_info: PageInfo })

export const AudienceDetails = z.object({
  list: z.array(
    z.object({
      audience_details: AudienceNode,
      audience_history: z.array(z.object({ opt_time: Time })).nullish(),
    }),
  ),
})
export type AudienceDetails = z.infer<typeof AudienceDetails>

export const ADVERTISER_FIELDS = [
  'advertiser_id',
  'name',
  'currency',
  'timezone',
  'display_timezone',
  'status',
  'company',
]
