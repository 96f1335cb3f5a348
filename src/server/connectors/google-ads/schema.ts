import { z } from 'zod'
import type { Io } from '#server/connectors/connector.ts'
import { RowList } from '#server/connectors/kit/byte-rows.ts'
import { GoogleLogin } from '#server/connectors/kit/google-token.ts'
import { Zone } from '#server/connectors/kit/zone.ts'

/** People copy ids with dashes; on the wire they have none. */
const CustomerId = z
  .string()
  .transform(text => text.replaceAll('-', '').trim())
  .pipe(z.string().regex(/^\d{10}$/))

export const GoogleAdsLogin = z.intersection(
  GoogleLogin,
  z.object({
    /** Google has ignored it since September 2026; sent when there is one. */
    developer_token: z.string().min(1).optional(),
    /** Leave everything alone that is not below this manager. */
    login_customer_id: CustomerId.optional(),
  }),
)
export type GoogleAdsLogin = z.infer<typeof GoogleAdsLogin>
export type GoogleAdsIo = Io<GoogleAdsLogin>

/**
 * One page of any query. Rows are read field by field in columns.ts; a schema per row would cost more than
 * parsing it.
 */
const pageWith = <Results extends z.ZodType>(results: Results) =>
  z
    .object({
      results: results.optional(),
      nextPageToken: z.string().optional(),
      /** In every response, and alone in one without rows. */
      fieldMask: z.string().optional(),
    })
    .refine(({ results: rows, fieldMask }) => rows !== undefined || fieldMask !== undefined, 'is no page')
export const SearchPage = pageWith(z.array(z.unknown()))
/** The same with rows that may have been read out of the bytes. */
export const RowSearchPage = pageWith(RowList)

export const AccessibleCustomers = z.object({
  resourceNames: z
    .array(
      z
        .string()
        .regex(/^customers\/\d{10}$/)
        .transform(name => name.slice('customers/'.length)),
    )
    .default([]),
})

const Customer = z.object({
  id: z.string().regex(/^\d{10}$/),
  descriptiveName: z.string().default(''),
  currencyCode: z.string().regex(/^[A-Z]{3}$/),
  timeZone: Zone,
  manager: z.boolean().default(false),
  status: z.string(),
})
export type Customer = z.infer<typeof Customer>

export const CustomerRow = z.object({ customer: Customer })
export const ClientRow = z.object({
  customerClient: Customer.extend({ level: z.string().default('0') }),
})

export const HeadlineRow = z.object({
  adGroup: z.object({ id: z.string() }),
  adGroupAd: z.object({
    ad: z.object({
      id: z.string(),
      responsiveSearchAd: z
        .object({ headlines: z.array(z.object({ text: z.string().default('') })).default([]) })
        .optional(),
    }),
  }),
})

export const CampaignRow = z.object({ campaign: z.object({ name: z.string().default('') }) })

export const ActionRow = z.object({
  segments: z.object({ conversionActionName: z.string() }),
  metrics: z.object({ allConversions: z.number().default(0), allConversionsValue: z.number().default(0) }),
})

export const ErrorEnvelope = z.object({
  error: z.object({
    code: z.int(),
    message: z.string().default(''),
    details: z.array(z.unknown()).default([]),
  }),
})

const Delay = z.object({ retryDelay: z.string().optional() })

/** What the service itself says is wrong. */
export const GoogleAdsFailure = z.object({
  errors: z
    .array(
      z.object({
        errorCode: z.record(z.string(), z.string()),
        message: z.string().default(''),
        details: z
          .object({ quotaErrorDetails: Delay.extend({ rateScope: z.string().optional() }).optional() })
          .optional(),
      }),
    )
    .min(1),
  requestId: z.string().optional(),
})

/** The gateway in front of the service says it shorter. */
export const ErrorInfo = z.object({ reason: z.string() })
export const RetryInfo = z.object({ retryDelay: z.string() })
