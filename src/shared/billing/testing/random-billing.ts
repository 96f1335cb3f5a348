import type { FeeTier } from '#shared/billing/fee.ts'
import type { QuotationLine } from '#shared/billing/quotation.ts'
import type { SpendChannel } from '#shared/billing/spend-channels.ts'
import type { TextStatementRequest } from './month-oracle.ts'
import type { InText, TextAgreement } from './oracle.ts'
import type { TextQuotation } from './order-oracle.ts'

type Below = (limit: number) => number

const currencies = ['TWD', 'USD', 'JPY', 'EUR', 'KRW', 'KWD', 'VND']
const decimals: Record<string, number> = { USD: 2, EUR: 2, KWD: 3 }
const channels: readonly SpendChannel[] = ['fb', 'aw', 'yg', 'tt', 'ln']
const rates = [0, 500, 1000, 1250, 1500, 2000, 2500, 3333, 5000, 10_000]

/** Draws documents and months, in decimal text; the same ones for the same numbers. */
export function createDraw(below: Below) {
  const oneOf = <Item>(items: readonly [Item, ...Item[]] | readonly Item[], fallback: Item): Item =>
    items[below(items.length)] ?? fallback
  const isOne = (of: number) => below(of) === 0
  const many = <Item>(count: number, item: (index: number) => Item) =>
    Array.from({ length: count }, (_, index) => item(index))

  /** Of every size; small ones and round ones often meet half a step. */
  function steps(): number {
    const kind = below(6)
    if (kind === 0) return below(200)
    if (kind === 1) return below(1000) * 10
    if (kind === 2) return below(10) * 10 ** below(7)
    if (kind === 3) return below(1_000_000)
    return kind === 4 ? below(1_000_000_000) : 0
  }

  const text = (whole: number, places: number) => {
    const digits = String(whole).padStart(places + 1, '0')
    return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
  }
  const amount = (currency: string) => text(steps(), decimals[currency] ?? 0)
  /** Raw spend keeps its millionths. */
  const cost = () => (isOne(3) ? text(below(2_000_000) * 500_000, 6) : text(steps() * 1000 + below(1000), 6))
  const rate = () => (isOne(3) ? below(10_001) : oneOf(rates, 0))

  function line(currency: string): InText<QuotationLine> {
    const pricing = oneOf(['budget', 'cpm', 'cpc', 'cpv', 'day'] as const, 'budget')
    return {
      pricing,
      quantity: pricing === 'day' ? below(400) : below(1_000_000),
      unit_price: text(isOne(2) ? below(1000) * 500_000 : below(100_000_000), 6),
      budget: amount(currency),
      fee_rate: rate(),
      fee_basis: isOne(3) ? 'within' : 'on_top',
    }
  }

  function quotation(): TextQuotation {
    const currency = oneOf(currencies, 'TWD')
    return {
      currency,
      tax: oneOf(['tw_vat', 'tw_vat', 'jp_ct', 'zero_rated', 'exempt'] as const, 'tw_vat'),
      media_billing: oneOf(['agency', 'advance', 'client'] as const, 'agency'),
      day: oneOf(['2019-09-30', '2019-10-01', '2026-11-26'], '2026-11-26'),
      discount: isOne(2) ? '0' : amount(currency),
      fee_minimum: isOne(2) ? '0' : amount(currency),
      lines: many(isOne(50) ? 100 : below(9), () => line(currency)),
      commission: isOne(2) ? null : { rate: rate(), base: isOne(2) ? 'fee' : 'media' },
    }
  }

  /** Shares of 10000 together. */
  function shares(): number[] {
    const cuts = many(below(12), () => below(10_001)).toSorted((one, other) => one - other)
    return [...cuts, 10_000].map((end, index) => end - (cuts[index - 1] ?? 0))
  }

  function tiers(currency: string, count: number): InText<FeeTier>[] {
    const edges = many(count - 1, () => 1 + steps() + below(1000)).toSorted((one, other) => one - other)
    const limits = [...new Set(edges)].map(edge => text(edge, decimals[currency] ?? 0))
    return [...limits, null].map(up_to => ({ up_to, rate: rate() }))
  }

  function agreement(channel: SpendChannel | null, currency: string): TextAgreement {
    const basis = isOne(4) ? 'within' : 'on_top'
    const drawn = tiers(currency, basis === 'within' ? 1 : 1 + below(6))
    return {
      channel,
      currency,
      from_month: isOne(10) ? '2026-12' : '2026-01',
      to_month: isOne(10) ? '2026-10' : oneOf([null, '2026-11', '2026-12'], null),
      amount: isOne(2) ? '0' : amount(currency),
      tiers: basis === 'within' ? drawn.map(tier => ({ ...tier, rate: Math.min(tier.rate, 9999) })) : drawn,
      tier_mode: isOne(2) ? 'whole' : 'marginal',
      basis,
      minimum: isOne(2) ? '0' : amount(currency),
      charges_idle_months: isOne(3),
    }
  }

  function month(): TextStatementRequest {
    const own = many(1 + below(3), () => oneOf(currencies, 'TWD'))
    const billing_currency = isOne(4) ? null : oneOf([...own, 'TWD'], 'TWD')
    const scopes = [null, ...channels].filter(() => isOne(2))
    const signed = (size: string) => (isOne(2) && Number(size) > 0 ? `-${size}` : size)
    return {
      month: oneOf(['2026-11', '2026-11', '2026-12'], '2026-11'),
      billing_currency,
      tax: oneOf(['tw_vat', 'tw_vat', 'jp_ct', 'exempt'] as const, 'tw_vat'),
      media_billing: oneOf(['agency', 'agency', 'advance', 'client'] as const, 'agency'),
      accounts: many(below(10), index => ({
        ad_account: index + 1,
        channel: oneOf(channels, 'fb'),
        currency: oneOf(own, 'TWD'),
        reported: isOne(60) ? null : cost(),
        invoice: isOne(4) ? text(steps(), 2) : null,
      })),
      adjustments: many(isOne(2) ? below(5) : 0, () => ({
        channel: oneOf(channels, 'fb'),
        currency: oneOf(own, 'TWD'),
        amount: signed(cost()),
      })),
      rates: new Map(
        [...currencies, 'TWD']
          .filter(currency => currency === 'TWD' || !isOne(40))
          .map(currency => [currency, currency === 'TWD' ? '1' : exchangeRate()]),
      ),
      agreements: [billing_currency ?? 'TWD', 'USD']
        .filter((currency, index, all) => all.indexOf(currency) === index)
        .flatMap(currency => scopes.map(channel => agreement(channel, currency))),
    }
  }

  const exchangeRate = () =>
    isOne(4) ? oneOf(['0.5', '2', '31.505', '0.2085'], '2') : text(1 + below(1_000_000_000), 1 + below(10))

  return {
    quotation,
    shares,
    agreement,
    month,
    oneOf,
    isOne,
    amount,
    currency: () => oneOf(currencies, 'TWD'),
  }
}
