import type { Language } from '#shared/language.ts'

/** What a field for a rate holds: basis points, nothing, or a text that is no rate. */
export type TypedRate = number | null | 'invalid'

export type RateFault = 'not_a_rate' | 'decimals' | 'out_of_range'

/** 1500 is "15%", 1250 is "12.5%". */
export const formatRate = (basisPoints: number, language: Language) =>
  new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 }).format(basisPoints / 10_000)

/** 1250 is "12.5", for fields whose label has the sign. */
export const formatPercent = (basisPoints: number, language: Language) =>
  new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(basisPoints / 100)

type Parsed = { rate: number | null; fault: null } | { rate: null; fault: RateFault }

/** Reads "15", "12.5 %", "１２．５％". */
export function parseRate(text: string, most: number): Parsed {
  const plain = text.normalize('NFKC').replaceAll(/\s/g, '')
  if (plain === '') return { rate: null, fault: null }
  const match = /^(\d{0,6})(?:\.(\d*))?%?$/.exec(plain)
  const [, whole = '', fraction = ''] = match ?? []
  if (!match || (whole === '' && fraction === '')) return { rate: null, fault: 'not_a_rate' }
  if (/[1-9]/.test(fraction.slice(2))) return { rate: null, fault: 'decimals' }
  const rate = Number(whole + fraction.slice(0, 2).padEnd(2, '0'))
  return rate > most ? { rate: null, fault: 'out_of_range' } : { rate, fault: null }
}
