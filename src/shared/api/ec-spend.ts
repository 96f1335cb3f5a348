import { z } from 'zod'
import { Id, IdText, Instant, listOf, listQuery } from './list.ts'
import {
  Currency,
  Month,
  SignedAmount,
  SpendChannel,
  TaxKind,
  MediaBilling,
  TotalAmount,
  Version,
} from './money.ts'
import { name, nameOrNothing, textOrNothing } from './names.ts'

export const MAX_EC_MONTHS = 36

const truth = z
  .enum(['true', 'false'])
  .default('false')
  .transform(text => text === 'true')

/** At most 36 months. */
export const EcSpendQuery = z
  .object({
    from: Month,
    to: Month,
    advertiser: IdText.optional(),
    industry: IdText.optional(),
    channel: SpendChannel.optional(),
    /** What a row is of; `account` is for one advertiser or one month. */
    group: z.enum(['advertiser', 'channel', 'account']).default('channel'),
    /** What is billed is in the base currency, by each month's rate. */
    convert: truth,
  })
  .refine(({ from, to }) => monthsFrom(from, to) >= 1 && monthsFrom(from, to) <= MAX_EC_MONTHS, {
    path: ['to'],
  })
export type EcSpendQuery = z.output<typeof EcSpendQuery>

const monthsFrom = (from: string, to: string) => {
  const number = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5))
  return number(to) - number(from) + 1
}

export const BillingMonth = z.object({
  month: Month,
  state: z.enum(['open', 'locked']),
  locked_by: z.string().nullable(),
  locked_at: Instant.nullable(),
  waivers: z.array(z.object({ ad_account: Id, account_name: z.string(), reason: z.string() })),
})
export type BillingMonth = z.infer<typeof BillingMonth>

/** Why a row has no amount: the platform's is not known, or the month's rate is missing. */
export const ecCodes = ['days_unknown', 'rate_missing'] as const

/**
 * advertiser null: accounts of nobody, which are billed to nobody. A month that is not over counts as far
 * as it is known.
 */
export const EcSpendRow = z.object({
  advertiser: Id.nullable(),
  advertiser_name: z.string().nullable(),
  /** null with group=advertiser, where currencies still stay apart. */
  channel: SpendChannel.nullable(),
  /** With group=account, where adjustments, which are of no account, are a row of their own. */
  ad_account: Id.nullable(),
  account_name: z.string().nullable(),
  month: Month,
  /** Of the accounts. */
  currency: z.string(),
  /** As reported, in `currency`; null: unknown, never 0. */
  spend: TotalAmount.nullable(),
  /** The same with the platforms' invoices instead, where there are some; null: there is none. */
  invoiced: TotalAmount.nullable(),
  /** Of its adjustments, in `currency`. */
  adjusted: TotalAmount,
  billing_currency: z.string().nullable(),
  /** Media in the billing currency. */
  billed: TotalAmount.nullable(),
  fee: TotalAmount.nullable(),
  tax_amount: TotalAmount.nullable(),
  total: TotalAmount.nullable(),
  /** The month is not over, or its rate not final. */
  is_provisional: z.boolean(),
  code: z.enum(ecCodes).nullable(),
})
export type EcSpendRow = z.infer<typeof EcSpendRow>

export const EcSpend = z.object({
  months: z.array(BillingMonth),
  rows: z.array(EcSpendRow),
  /** By month and billing currency, of the rows that have an amount. */
  totals: z.array(
    z.object({
      month: Month,
      billing_currency: z.string(),
      billed: TotalAmount,
      fee: TotalAmount,
      tax_amount: TotalAmount,
      total: TotalAmount,
      /** Whether every row has one. */
      is_complete: z.boolean(),
    }),
  ),
  base_currency: z.string(),
  /** When the account that has waited longest was last fetched; null: none has been. */
  as_of: Instant.nullable(),
  /** Accounts of which open months are still to be fetched. */
  waiting: z.number().int(),
})
export type EcSpend = z.infer<typeof EcSpend>

export const adjustmentReasons = [
  'credit',
  'invalid_traffic',
  'make_good',
  'coupon',
  'drift',
  'other',
] as const

// One month.

export const MonthQuery = z.object({ month: Month, advertiser: IdText.optional() })

export const StatementLine = z.object({
  channel: SpendChannel,
  currency: z.string(),
  spend: TotalAmount.nullable(),
  /** The same with the platforms' invoices instead, where there are some; null: there is none. */
  invoiced: TotalAmount.nullable(),
  adjusted: TotalAmount,
  /** Billing units for one of `currency`, as decimal text; null: the same currency, or missing. */
  rate: z.string().nullable(),
  billed: TotalAmount.nullable(),
  fee: TotalAmount.nullable(),
  tax_amount: TotalAmount.nullable(),
  total: TotalAmount.nullable(),
  code: z.enum(ecCodes).nullable(),
})
export const Statement = z.object({
  /** null: live, until the month is locked. */
  id: Id.nullable(),
  advertiser: Id,
  advertiser_name: z.string(),
  month: Month,
  currency: z.string(),
  tax: TaxKind,
  media_billing: MediaBilling,
  lines: z.array(StatementLine),
  /** null while a line is not known. */
  media: TotalAmount.nullable(),
  fee: TotalAmount.nullable(),
  untaxed: TotalAmount.nullable(),
  taxable: TotalAmount.nullable(),
  tax_amount: TotalAmount.nullable(),
  total: TotalAmount.nullable(),
  warnings: z.array(z.enum(['month_not_over', 'rate_provisional', 'no_agreement', 'invoice_differs'])),
  /** The payment that stands for it. */
  payment: z.object({ id: Id, number: z.string(), status: z.string() }).nullable(),
  /** The accepted order that covers it. */
  covered_by: z.object({ id: Id, label: z.string() }).nullable(),
  adjustments: z.array(
    z.object({
      id: Id,
      channel: SpendChannel,
      concerns_month: Month,
      currency: z.string(),
      amount: TotalAmount,
      reason: z.enum(adjustmentReasons),
      note: z.string(),
    }),
  ),
  /**
   * What platforms have changed since the lock, by channel and currency, on the currency's step; of it,
   * what has been booked. Accounts that were billed by invoice have none.
   */
  drift: z.array(
    z.object({ channel: SpendChannel, currency: z.string(), amount: TotalAmount, booked: TotalAmount }),
  ),
})
export type Statement = z.infer<typeof Statement>
export const Statements = z.object({ month: BillingMonth, results: z.array(Statement) })

/** Live ones are marked as drafts. */
export const StatementPdfQuery = z.object({ month: Month, advertiser: IdText, currency: Currency })

/** What keeps a month from being locked, and what should be looked at. */
export const checkCodes = [
  'month_not_over',
  'earlier_month_open',
  'later_month_locked',
  'days_unknown',
  'rate_missing',
  'rate_provisional',
  'spend_of_nobody',
  'no_agreement',
  'invoice_differs',
] as const
export const Check = z.object({
  code: z.enum(checkCodes),
  is_blocker: z.boolean(),
  /**
   * days_unknown and spend_of_nobody can be waived per account, with a reason; earlier_month_open by
   * `first`, while nothing is locked.
   */
  can_waive: z.boolean(),
  month: Month,
  ad_account: Id.nullable(),
  account_name: z.string().nullable(),
  advertiser: Id.nullable(),
  advertiser_name: z.string().nullable(),
  channel: SpendChannel.nullable(),
  currency: z.string().nullable(),
  /** Of rates: the currency that it is converted to. */
  billing_currency: z.string().nullable(),
  /** Of a month that is not over: when it can be locked. */
  until: Instant.nullable(),
})
export type Check = z.infer<typeof Check>
export const Checks = z.object({ month: BillingMonth, results: z.array(Check) })

/** By account: what is reported beside what is on the platform's invoice. */
export const Reconciliation = z.object({
  month: BillingMonth,
  results: z.array(
    z.object({
      ad_account: Id,
      account_name: z.string(),
      external_id: z.string(),
      channel: SpendChannel,
      advertiser: Id.nullable(),
      advertiser_name: z.string().nullable(),
      currency: z.string(),
      spend: TotalAmount.nullable(),
      known: z.enum(['full', 'partial', 'none']),
      invoice: z
        .object({ id: Id, version: Version, amount: TotalAmount, number: z.string(), note: z.string() })
        .nullable(),
      /** Invoice less what is reported, rounded to the currency's step; null without either. */
      difference: TotalAmount.nullable(),
      /** The same in hundred-thousandths of the reported; null without spend. */
      difference_rate: z.number().int().nullable(),
      /**
       * Of a locked month: what was reported then, and what is reported now less that, each on the step.
       */
      locked_cost: TotalAmount.nullable(),
      drift: TotalAmount.nullable(),
    }),
  ),
})
export type Reconciliation = z.infer<typeof Reconciliation>

// Platforms' invoices and adjustments.

const row = { id: Id, version: Version, created_at: Instant, last_modified_at: Instant }

export const PlatformInvoice = z.object({
  ...row,
  ad_account: Id,
  account_name: z.string(),
  month: Month,
  currency: z.string(),
  amount: TotalAmount,
  number: z.string(),
  note: z.string(),
})
export type PlatformInvoice = z.infer<typeof PlatformInvoice>
export const PlatformInvoiceQuery = listQuery(['id', 'month', 'amount'], '-id').extend({
  month: Month.optional(),
  ad_account: IdText.optional(),
})
export const PlatformInvoiceList = listOf(PlatformInvoice)
export const CreatePlatformInvoice = z.strictObject({
  ad_account: Id,
  month: Month,
  amount: SignedAmount,
  number: nameOrNothing(40).default(''),
  note: textOrNothing(500).default(''),
})
export const UpdatePlatformInvoice = z.strictObject({
  version: Version,
  amount: SignedAmount.optional(),
  number: nameOrNothing(40).optional(),
  note: textOrNothing(500).optional(),
})

export const Adjustment = z.object({
  ...row,
  advertiser: Id,
  advertiser_name: z.string(),
  channel: SpendChannel,
  month: Month,
  concerns_month: Month,
  currency: z.string(),
  amount: TotalAmount,
  reason: z.enum(adjustmentReasons),
  note: z.string(),
})
export type Adjustment = z.infer<typeof Adjustment>
export const AdjustmentQuery = listQuery(['id', 'month', 'amount'], '-id').extend({
  month: Month.optional(),
  advertiser: IdText.optional(),
})
export const AdjustmentList = listOf(Adjustment)
const adjustment = {
  advertiser: Id,
  channel: SpendChannel,
  month: Month,
  concerns_month: Month,
  currency: Currency,
  amount: SignedAmount.refine(amount => amount !== 0),
  reason: z.enum(adjustmentReasons).exclude(['drift']),
  note: textOrNothing(500),
}
export const CreateAdjustment = z.strictObject({
  ...adjustment,
  concerns_month: adjustment.concerns_month.optional(),
  note: adjustment.note.default(''),
})
export const UpdateAdjustment = z.strictObject(adjustment).partial().extend({ version: Version })

// Actions.

export const LockMonth = z.strictObject({
  month: Month,
  waive: z
    .array(z.strictObject({ ad_account: Id, reason: name(200) }))
    .max(500)
    .default([]),
  /** Billing begins with this month: earlier ones stay open. Only while none is locked. */
  first: z.boolean().default(false),
})
export const LockReply = z.object({ month: BillingMonth, statements: z.number().int() })
export const UnlockMonth = z.strictObject({ month: Month, reason: name(500) })
export const UnlockReply = z.object({ month: BillingMonth, statements: z.number().int() })
/** Left out: all that are above 0, that no order covers and no payment stands for. */
export const BillMonth = z.strictObject({
  month: Month,
  advertisers: z.array(Id).min(1).max(1000).optional(),
})
export const BillReply = z.object({ payments: z.number().int() })
/** Books the month's drift of an advertiser into the first open month. */
export const BookDrift = z.strictObject({ month: Month, advertiser: Id })
export const BookDriftReply = z.object({ adjustments: z.number().int(), month: Month })
