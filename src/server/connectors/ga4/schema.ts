import { z } from 'zod'
import type { Io } from '#server/connectors/connector.ts'
import { RowList } from '#server/connectors/kit/byte-rows.ts'
import { GoogleLogin } from '#server/connectors/kit/google-token.ts'
import { Zone } from '#server/connectors/kit/zone.ts'

export const Ga4Login = GoogleLogin
export type Ga4Io = Io<GoogleLogin>

/** `properties/213025502` → its id */
const PropertyName = z
  .string()
  .regex(/^properties\/\d+$/)
  .transform(name => name.slice('properties/'.length))
const AccountName = z
  .string()
  .regex(/^accounts\/\d+$/)
  .transform(name => name.slice('accounts/'.length))

/** An account without properties lacks the list of them. */
export const AccountSummaries = z.object({
  accountSummaries: z
    .array(
      z.object({
        account: AccountName,
        displayName: z.string().default(''),
        propertySummaries: z.array(z.object({ property: PropertyName })).default([]),
      }),
    )
    .default([]),
  nextPageToken: z.string().optional(),
})
export type AccountSummaries = z.infer<typeof AccountSummaries>
export type AccountSummary = AccountSummaries['accountSummaries'][number]

export const Property = z.object({
  name: PropertyName,
  displayName: z.string().default(''),
  timeZone: Zone,
  currencyCode: z.string().regex(/^[A-Z]{3}$/),
  /** In the trash: it is gone for good 35 days later. */
  deleteTime: z.string().optional(),
})
export type Property = z.infer<typeof Property>

const headers = z.array(z.object({ name: z.string() })).default([])
/** What the values of each row are, in their order. */
export const ReportHeaders = z.object({ dimensionHeaders: headers, metricHeaders: headers })
export type ReportHeaders = z.infer<typeof ReportHeaders>

const Sampling = z.object({ samplesReadCount: z.string(), samplingSpaceSize: z.string() })

/** What GA4 says about the numbers. None of it is worth failing a report: what cannot be read is left out. */
const Metadata = z.object({
  dataLossFromOtherRow: z.boolean().catch(false),
  subjectToThresholding: z.boolean().catch(false),
  samplingMetadatas: z.array(Sampling).catch([]),
  dataTruncationReasons: z.array(z.unknown()).catch([]),
  schemaRestrictionResponse: z
    .object({ activeMetricRestrictions: z.array(z.object({ metricName: z.string() })) })
    .optional()
    .catch(undefined),
})
export type Metadata = z.infer<typeof Metadata>

const left = z.object({ remaining: z.number().default(0) }).optional()
const PropertyQuota = z.object({
  tokensPerDay: left,
  tokensPerHour: left,
  tokensPerProjectPerHour: left,
  serverErrorsPerProjectPerHour: left,
  potentiallyThresholdedRequestsPerHour: left,
})
export type PropertyQuota = z.infer<typeof PropertyQuota>

/**
 * A response of no rows lacks rows, their count and the headers. Rows are read field by field in columns.ts;
 * a schema per row would cost more than parsing it.
 */
export const ReportResponse = ReportHeaders.extend({
  kind: z.literal('analyticsData#runReport'),
  rows: RowList.default([]),
  rowCount: z.int().nonnegative().default(0),
  metadata: z.preprocess(metadata => metadata ?? {}, Metadata),
  propertyQuota: PropertyQuota.optional().catch(undefined),
})
  // Without the count it is open whether these are all.
  .refine(({ rows, rowCount }) => rows.length === 0 || rowCount > 0, { path: ['rowCount'] })
export type ReportResponse = z.infer<typeof ReportResponse>

const AudienceName = z
  .string()
  .regex(/^properties\/\d+\/audiences\/\d+$/)
  .transform(name => name.slice(name.lastIndexOf('/') + 1))

export const AudiencePage = z.object({
  audiences: z
    .array(
      z.object({
        name: AudienceName,
        displayName: z.string().default(''),
        membershipDurationDays: z.int().positive(),
      }),
    )
    .default([]),
  nextPageToken: z.string().optional(),
})
export type AudiencePage = z.infer<typeof AudiencePage>

/** An audience's id and the people in it. */
const AudienceRow = z
  .object({
    dimensionValues: z.tuple([z.object({ value: z.string() })], z.unknown()),
    metricValues: z.tuple([z.object({ value: z.string().regex(/^\d+$/).transform(Number) })]),
  })
  .transform(({ dimensionValues: [id], metricValues: [users] }): [string, number] => [id.value, users.value])
export const AudienceRows = z.array(AudienceRow)

export const ErrorEnvelope = z.object({
  error: z.object({
    message: z.string().default(''),
    status: z.string().default(''),
    details: z.array(z.object({ reason: z.string().optional() })).catch([]),
  }),
})
export type Ga4Error = z.infer<typeof ErrorEnvelope>['error']
