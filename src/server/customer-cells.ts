import type { CustomerContact } from '#shared/api/customers.ts'
import type { PaymentTerms } from '#shared/api/money.ts'
import { whyNotTaxId } from '#shared/billing/tax-id.ts'

// What a customer's facts are as cells of a table, as exports write them and imports read them.

/** One a line: name | title | phone | e-mail | yes */
export const contactsCell = (contacts: readonly CustomerContact[]) =>
  contacts
    .map(({ name, title, phone, email, is_billing }) =>
      [name, title, phone, email, truthCell(is_billing)].join(' | '),
    )
    .join('\n')

/** month_end 30 */
export const termsCell = ({ kind, days }: PaymentTerms) => `${kind} ${days}`

/** 1250 basis points are 12.5%. */
export const percentCell = (rate: number) => `${rate / 100}%`

export const truthCell = (value: boolean) => (value ? 'yes' : 'no')

// The same read back; what cannot be read stays as it is, for the schema to refuse.

export const readContacts = (text: string) =>
  text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => {
      const [name = '', title = '', phone = '', email = '', billing = ''] = line
        .split('|')
        .map(part => part.trim())
      return { name, title, phone, email, is_billing: readTruth(billing) ?? false }
    })

export function readTerms(text: string): PaymentTerms | string | undefined {
  if (text === '') return undefined
  const monthEnd = /^(?:month_end|月結)\s*(\d{1,3})\s*天?$/.exec(text)?.[1]
  if (monthEnd !== undefined) return { kind: 'month_end', days: Number(monthEnd) }
  const days = /^(?:days\s*)?(\d{1,3})\s*(?:天|days)?$/.exec(text)?.[1]
  return days === undefined ? text : { kind: 'days', days: Number(days) }
}

export function readPercent(text: string): number | string | undefined {
  if (text === '') return undefined
  const [, whole, decimals = ''] = /^(\d{1,3})(?:\.(\d{1,2}))?\s*%?$/.exec(text) ?? []
  return whole === undefined ? text : Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
}

export function readTruth(text: string): boolean | string | undefined {
  if (text === '') return undefined
  if (/^(yes|y|true|1|是)$/i.test(text)) return true
  return /^(no|n|false|0|否)$/i.test(text) ? false : text
}

export const asWritten = (text: string) => text

/** Nothing in the cell: as it is, or the default. */
export const readChoice = (text: string) => (text === '' ? undefined : text)

/** Spreadsheet programs drop a number's first zeros: one that is valid with a zero has had it. */
export function readTaxId(text: string): string {
  const padded = text.padStart(8, '0')
  return /^\d{7}$/.test(text) && whyNotTaxId('TW', padded) === null ? padded : text
}
