import type { EcSpendRow } from '#shared/api/ec-spend.ts'
import { shareOut } from '#shared/billing/shares.ts'
import { stepOf } from '#shared/billing/step.ts'

/** What an account counts for in a month; of a locked month, what it counted for then. */
export interface AccountCount {
  ad_account: number
  account_name: string
  advertiser: number | null
  month: string
  channel: string
  currency: string
  /** Millionths, as text; null: not known. */
  reported: string | null
  invoice: string | null
}

/**
 * The rows of channels by account: what is billed is shared out by what the accounts count for, so that
 * they add up to the channel. Adjustments, which are of no account, have a row.
 */
export function splitByAccount(rows: readonly EcSpendRow[], accounts: readonly AccountCount[]): EcSpendRow[] {
  const byGroup = Map.groupBy(accounts, keyOf)
  return rows.flatMap(row => {
    const own = byGroup.get(keyOf(row)) ?? []
    const parts = [...own.map(account => partOf(row, account)), ...adjustmentsOf(row, own.length)]
    return withShares(row, parts)
  })
}

const keyOf = (row: Pick<AccountCount, 'advertiser' | 'month' | 'currency'> & { channel: string | null }) =>
  `${row.month} ${row.advertiser} ${row.channel} ${row.currency}`

interface Part {
  row: EcSpendRow
  /** null: not known. */
  weight: bigint | null
}

function partOf(row: EcSpendRow, { ad_account, account_name, reported, invoice }: AccountCount): Part {
  const counted = invoice ?? reported
  const isUnknown = counted === null
  return {
    row: {
      ...row,
      ad_account,
      account_name,
      spend: reported === null ? null : Number(reported),
      invoiced: invoice === null ? null : Number(invoice),
      adjusted: 0,
      code: row.code === 'days_unknown' && !isUnknown ? null : row.code,
    },
    weight: isUnknown ? null : BigInt(counted),
  }
}

/** Without accounts it is the fee of an idle month. */
function adjustmentsOf(row: EcSpendRow, accounts: number): Part[] {
  if (row.adjusted === 0 && accounts > 0) return []
  const { adjusted } = row
  return [{ row: { ...row, spend: 0, invoiced: null, adjusted }, weight: BigInt(adjusted) }]
}

function withShares(row: EcSpendRow, parts: readonly Part[]): EcSpendRow[] {
  const { billing_currency, billed, fee, tax_amount, total } = row
  const weights = parts.flatMap(({ weight }) => weight ?? [])
  if (billing_currency === null || weights.length < parts.length)
    return parts.map(part => withoutShares(part.row))
  const share = (amount: number | null) =>
    amount === null ? null : shareOut(BigInt(amount), weights, stepOf(billing_currency)).map(Number)
  const [media, fees, taxes] = [share(billed), share(fee), share(tax_amount)]
  const isMediaCharged = total !== (fee ?? 0) + (tax_amount ?? 0)
  return parts.map((part, index) => {
    const [billedShare, feeShare, taxShare] = [media, fees, taxes].map(shares => shares?.[index] ?? null)
    const isKnown = total !== null && feeShare !== null && taxShare !== null
    return {
      ...part.row,
      billed: billedShare ?? null,
      fee: feeShare ?? null,
      tax_amount: taxShare ?? null,
      total: isKnown ? (isMediaCharged ? (billedShare ?? 0) : 0) + (feeShare ?? 0) + (taxShare ?? 0) : null,
    }
  })
}

const withoutShares = (row: EcSpendRow): EcSpendRow => ({
  ...row,
  billed: null,
  fee: null,
  tax_amount: null,
  total: null,
})
