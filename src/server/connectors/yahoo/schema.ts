import { z } from 'zod'
import type { Io } from '#server/connectors/connector.ts'
import { Zone } from '#server/connectors/kit/zone.ts'

// Fields that we do not read do not exist.

export const LyLogin = z.object({
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  refresh_token: z.string().min(1),
})
export type LyLogin = z.infer<typeof LyLogin>
export type LyIo = Io<LyLogin>

export const DspLogin = z.object({ client_id: z.string().min(1), client_secret: z.string().min(1) })
export type DspLogin = z.infer<typeof DspLogin>
export type DspIo = Io<DspLogin>

/** An id: digits, however long. Those beyond 2^53 are parsed as their digits. */
const Id = z.union([z.string().regex(/^\d+$/), z.int().nonnegative().transform(String)])

const Problem = z.object({
  code: z.string(),
  message: z.string().nullish(),
  details: z
    .array(z.object({ requestKey: z.string().nullish(), requestValue: z.string().nullish() }))
    .nullish(),
})
const Problems = z.array(Problem).nullish()
export type LyProblem = z.infer<typeof Problem>

/** What every response of LY Ads is in, refusals included. */
export const LyEnvelope = z.object({
  rid: z.string().nullish(),
  errors: Problems,
  rval: z.unknown().optional(),
})

const listOf = <T extends z.ZodType>(value: T) =>
  z.object({
    totalNumEntries: z.int().nullish(),
    values: z
      .array(value)
      .nullish()
      .transform(values => values ?? []),
  })

const Account = z.object({
  accountId: Id,
  accountName: z.string(),
  accountStatus: z.string(),
  isMccAccount: z.string().nullish(),
})
export type LyAccount = z.infer<typeof Account>
export const LyAccounts = listOf(z.object({ account: Account }))

const ReportJob = z.object({
  reportJobId: Id,
  reportJobStatus: z.string(),
  reportJobErrorDetail: z.string().nullish(),
  requestTime: z.string().nullish(),
})
export type LyReportJob = z.infer<typeof ReportJob>
export const LyReportJobs = listOf(z.object({ errors: Problems, reportDefinition: ReportJob.nullish() }))

/** Yahoo DSP refuses in this form. */
export const DspRefusal = z.object({
  errors: z.union([
    z.array(z.object({ code: z.unknown(), message: z.string() })).min(1),
    z.object({ message: z.string() }),
  ]),
})

const dspList = <T extends z.ZodType>(item: T) => z.object({ response: z.array(item) })

export const DspAdvertisers = dspList(
  z.object({
    id: Id,
    name: z.string(),
    status: z.string().nullish(),
    /** A code, or the number that the list of currencies gives it. */
    currency: z.union([z.string(), z.int()]),
    timezone: Zone,
  }),
)
export type DspAdvertiser = z.infer<typeof DspAdvertisers>['response'][number]

export const DspCurrencies = dspList(z.object({ id: z.int(), code: z.string() }))

export const DspSubmitted = z.object({
  customerReportId: z.union([z.string().min(1), z.int().transform(String)]),
})

export const DspReport = z.object({
  status: z.string(),
  url: z.string().nullish(),
  numRows: z.int().nullish(),
  errorMsg: z.string().nullish(),
})
