import { z } from 'zod'
import type { Io } from '#server/connectors/connector.ts'
import { lookup } from '#server/connectors/kit/lookup.ts'
import { isZone } from '#server/connectors/kit/zone.ts'

export const LineLogin = z.object({
  access_key: z.string().min(1),
  secret_key: z.string().min(1),
  /** The groups that the key was issued to, separated by commas. */
  group_ids: z
    .string()
    .transform(text => text.split(/[\s,、，;]+/).filter(id => id !== ''))
    .pipe(z.array(z.string()).min(1)),
  /**
   * What the partner role of the key may do, which LINE does not say: 2 of reporting partners, 10 of all
   * others.
   */
  requests_per_second: z.enum(['2', '10']).default('2'),
})
export type LineLogin = z.infer<typeof LineLogin>
export type LineIo = Io<LineLogin>

/** The documentation calls ids numbers, and real ones begin with a letter: either way a text here. */
const Id = z.union([z.string().min(1), z.int().nonnegative().transform(String)])

/** One page of any list: `page` counts from 1, and the last one follows from the number of elements. */
export const ListPage = z.object({
  paging: z.object({ page: z.int(), size: z.int(), totalElements: z.int().nonnegative() }),
  datas: z.array(z.unknown()),
})

export const ChildGroup = z.object({ id: Id })

/** None of LINE's markets changes its clocks, nor has it a second zone. */
const ZONES: Readonly<Record<string, string>> = { JP: 'Asia/Tokyo', TW: 'Asia/Taipei', TH: 'Asia/Bangkok' }

export const AdAccount = z
  .object({
    id: Id,
    name: z.string(),
    configuredStatus: z.string(),
    currency: z.string().regex(/^[A-Z]{3}$/),
    timezone: z.string().optional(),
    country: z.string().optional(),
    lineAccount: z.object({ name: z.string().nullish() }).nullish(),
  })
  .transform((account, context) => {
    const timezone = zoneOf(account)
    if (timezone === null) {
      context.addIssue({ code: 'custom', path: ['timezone'], message: 'is none that is known' })
      return z.NEVER
    }
    return {
      provider: 'line' as const,
      external_id: account.id,
      name: account.name,
      currency: account.currency,
      timezone,
      status: account.configuredStatus === 'ACTIVE' ? ('enabled' as const) : ('disabled' as const),
      owner_name: account.lineAccount?.name ?? null,
      analytics: null,
    }
  })

/** How LINE spells zones is not documented: where it is no name of a zone, the market says which. */
function zoneOf({
  timezone = '',
  country = '',
}: {
  timezone?: string | undefined
  country?: string | undefined
}) {
  if (timezone.includes('/') && isZone(timezone)) return timezone
  return lookup(ZONES, country) ?? null
}

/** A performance report, by its number. */
export const ReportNode = z.object({
  id: Id,
  status: z.enum(['CREATED', 'PREPARING', 'READY', 'ERROR']),
})
export type ReportNode = z.infer<typeof ReportNode>

const Entity = z.object({ id: Id, name: z.string() }).optional()

/** A row of the online report; its statistics are read by name. */
export const OnlineRow = z.object({
  campaign: Entity,
  adgroup: Entity,
  ad: Entity,
  statistics: z.record(z.string(), z.unknown()),
})
export type OnlineRow = z.infer<typeof OnlineRow>

const AudienceNode = z.object({
  id: Id,
  name: z.string(),
  status: z.enum(['IN_PROGRESS', 'READY', 'FAILED', 'EXPIRED']),
  /** A text: digits, `100 or fewer`, or `-` where nothing is known. */
  estimatedAudienceSize: z.string().nullish(),
  created: z.iso.datetime({ offset: true }).transform(text => new Date(text)),
})
export type AudienceNode = z.infer<typeof AudienceNode>

/** In another shape than all other lists. */
export const AudienceList = z.object({ hasNextPage: z.boolean(), audienceGroups: z.array(AudienceNode) })

/** An id is a number here and a text in lists. */
export const NewAudience = z.object({ id: Id })

export const UploadJobs = z.object({
  jobs: z.array(
    z.object({
      type: z.string(),
      created: z.iso.datetime({ offset: true }).transform(text => new Date(text)),
    }),
  ),
})

const Reason = z.object({ reason: z.string(), property: z.string().optional() })

/** Refusals, inside an object or bare: the documentation leaves it open. */
export const Refusals = z.union([
  z.object({ errors: z.array(Reason).min(1) }).transform(({ errors }) => errors),
  z.array(Reason).min(1),
])
export type Refusals = z.infer<typeof Refusals>
