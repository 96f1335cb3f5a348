import { z } from 'zod'
import type { Io } from '#server/connectors/connector.ts'
import { RowList } from '#server/connectors/kit/byte-rows.ts'
import type { GoogleLogin } from '#server/connectors/kit/google-token.ts'
import { Zone } from '#server/connectors/kit/zone.ts'

export type UaIo = Io<GoogleLogin>

const Id = z.string().min(1)

/**
 * One page of a list of Management API v3. Its link to the next one is not followed: it could lead anywhere.
 */
const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item).default([]),
    totalResults: z.int().nonnegative(),
  })

export interface ItemPage<Item> {
  items: Item[]
  totalResults: number
}

export const AccountSummaries = listOf(
  z.object({
    id: Id,
    name: z.string(),
    webProperties: z.array(z.object({ id: Id, name: z.string() })).default([]),
  }),
)

export const Profiles = listOf(
  z.object({
    id: Id,
    accountId: Id,
    webPropertyId: Id,
    name: z.string(),
    currency: z.string().regex(/^[A-Z]{3}$/),
    timezone: Zone,
    permissions: z.object({ effective: z.array(z.string()) }).optional(),
  }),
)
export type Profile = z.infer<typeof Profiles>['items'][number]

/** Its rows are read by hand in columns.ts; a schema per row would cost more than parsing it. */
const Report = z.object({
  columnHeader: z.object({
    dimensions: z.array(z.string()).default([]),
    metricHeader: z.object({ metricHeaderEntries: z.array(z.object({ name: z.string() })) }),
  }),
  data: z.object({
    rows: RowList.default([]),
    /** Of all pages; left out where there are none. */
    rowCount: z.int().nonnegative().optional(),
    isDataGolden: z.boolean().optional(),
    samplesReadCounts: z.array(z.string()).optional(),
    samplingSpaceSizes: z.array(z.string()).optional(),
  }),
  nextPageToken: z.string().min(1).optional(),
})
export type Report = z.infer<typeof Report>

/** A batch may have several reports; ours have one. */
export const Reports = z.object({ reports: z.tuple([Report]) })

/** The form of the reporting API, and the older one of the management API, which adds its reasons. */
export const ErrorEnvelope = z.object({
  error: z.object({
    message: z.string().default(''),
    status: z.string().optional(),
    errors: z.array(z.object({ reason: z.string().optional() })).optional(),
  }),
})
