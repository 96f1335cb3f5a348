/** Amounts are integers of a millionth of the currency's unit, so that sums are exact in every currency. */
export const MILLIONTHS = 1_000_000

/** ISO 4217: every currency that has not two decimals. */
const unusual: Record<string, number> = {
  ...Object.fromEntries(
    ['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI'].map(code => [
      code,
      0,
    ]),
  ),
  ...Object.fromEntries(['VND', 'VUV', 'XAF', 'XOF', 'XPF'].map(code => [code, 0])),
  ...Object.fromEntries(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map(code => [code, 3])),
  CLF: 4,
  UYW: 4,
}

/** Digits after the point with which amounts of a currency are shown. */
export const currencyDecimals = (currency: string): number =>
  Object.hasOwn(unusual, currency) ? (unusual[currency] ?? 2) : 2

/** Digits of a column whose amounts may be of several currencies. */
export function columnDecimals(currencies: Iterable<string>): number {
  const [first, ...others] = new Set(currencies)
  return first === undefined || others.length > 0 ? 2 : currencyDecimals(first)
}
