import type { TypedAmount } from '#web/ui/money.ts'

/** Of impressions, clicks, views or days: more than any plan has, as the API has it. */
const MOST = 1_000_000_000_000

/** Reads "833333", "833,333", "８３３，３３３". */
export function parseQuantity(text: string): TypedAmount {
  const plain = text.normalize('NFKC').replaceAll(/\s/g, '')
  if (plain === '') return null
  if (!/^(\d{1,3}(,\d{3})+|\d+)(\.0+)?$/.test(plain)) return 'invalid'
  const quantity = Number(plain.replaceAll(',', ''))
  return quantity > MOST ? 'invalid' : quantity
}
