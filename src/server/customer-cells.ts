import type { CustomerContact } from '#shared/api/customers.ts'
import type { PaymentTerms } from '#shared/api/money.ts'

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
