export const taxCountries = ['TW', 'JP', 'other'] as const
export type TaxCountry = (typeof taxCountries)[number]

export type TaxIdFault = 'tax_id_format' | 'tax_id_checksum'

const formats: Record<TaxCountry, RegExp> = { TW: /^\d{8}$/, JP: /^T\d{13}$/, other: /^.{1,30}$/su }

const checksums: Record<TaxCountry, (id: string) => boolean> = {
  TW: isTaiwanese,
  JP: isJapanese,
  other: () => true,
}

/** What is wrong with a company's tax id; null: nothing. */
export function whyNotTaxId(country: TaxCountry, id: string): TaxIdFault | null {
  if (!formats[country].test(id) || id.trim() === '') return 'tax_id_format'
  return checksums[country](id) ? null : 'tax_id_checksum'
}

/**
 * 統一編號: since April 2023 the sum divides by 5, not by 10 as before, because numbers had run out. A 7 in
 * seventh place is 28 when weighted, whose 10 counts as 1 or as 0.
 */
function isTaiwanese(id: string): boolean {
  const weights = [1, 2, 1, 2, 1, 2, 4, 1]
  const sum = digitsOf(id).reduce((total, digit, index) => {
    const product = digit * (weights[index] ?? 0)
    return total + Math.floor(product / 10) + (product % 10)
  }, 0)
  return sum % 5 === 0 || (id[6] === '7' && (sum + 1) % 5 === 0)
}

/** 登録番号: T and the company number, whose first digit is the check digit of the other twelve. */
function isJapanese(id: string): boolean {
  const [check, ...others] = digitsOf(id.slice(1))
  const sum = others
    .toReversed()
    .reduce((total, digit, index) => total + digit * (index % 2 === 0 ? 1 : 2), 0)
  return check === 9 - (sum % 9)
}

const digitsOf = (text: string) => Array.from(text, Number)
