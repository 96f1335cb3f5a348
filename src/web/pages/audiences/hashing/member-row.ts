import type { MemberColumn } from '#shared/audiences.ts'
import {
  birthDayForm,
  birthForm,
  birthMonthForm,
  birthYearForm,
  countryForm,
  emailForm,
  genderForm,
  googleEmailForm,
  isConsent,
  nameForm,
  phoneForm,
  postalCodeForm,
} from '#shared/member-forms.ts'
import type { ColumnRoles, Role } from './file-format.ts'

/** Why a row, or an identifier of it, is not used. */
export const rowProblems = ['no_consent', 'no_identifier', 'bad_email', 'bad_phone'] as const
export type RowProblem = (typeof rowProblems)[number]

export interface MemberRow {
  /** The texts to hash, by form. Without an identifier the row is not sent. */
  forms: Partial<Record<MemberColumn, string>>
  isUsable: boolean
  problems: RowProblem[]
}

/** Reads rows of a file with these columns. `country` is that of numbers and addresses that name none. */
export function rowReader(columns: ColumnRoles, country: string) {
  const at = (role: Role) => columns.indexOf(role)
  const [email, phone, consent, named] = [at('email'), at('phone'), at('consent'), at('country')]
  const more = columns.flatMap((role, index) => {
    const read = role === null ? undefined : FURTHER[role]
    return read ? [{ index, read }] : []
  })
  return (row: readonly string[]): MemberRow => {
    const problems: RowProblem[] = []
    if (consent >= 0 && !isConsent(row[consent] ?? ''))
      return { forms: {}, isUsable: false, problems: ['no_consent'] }
    const own = (named >= 0 ? countryForm(row[named] ?? '') : null)?.toUpperCase() ?? country
    const forms: MemberRow['forms'] = {}
    const emailText = cellOf(row, email)
    const phoneText = cellOf(row, phone)
    if (emailText !== '') addEmail(forms, emailText, problems)
    if (phoneText !== '') addPhone(forms, phoneForm(phoneText, own), problems)
    if (emailText === '' && phoneText === '') problems.push('no_identifier')
    const isUsable = forms.email !== undefined || forms.phone !== undefined
    if (isUsable) for (const { index, read } of more) Object.assign(forms, read(row[index] ?? '', own))
    return { forms, isUsable, problems }
  }
}

const cellOf = (row: readonly string[], at: number) => (at >= 0 ? (row[at] ?? '').trim() : '')

function addEmail(forms: MemberRow['forms'], text: string, problems: RowProblem[]) {
  const email = emailForm(text)
  if (email === null) return void problems.push('bad_email')
  forms.email = email
  const google = googleEmailForm(email)
  if (google !== email) forms.email_google = google
}

function addPhone(forms: MemberRow['forms'], number: string | null, problems: RowProblem[]) {
  if (number === null) return void problems.push('bad_phone')
  forms.phone_e164 = number
  forms.phone = number.slice(1)
}

/** What only narrows down who it is; what cannot be read is left out. */
const FURTHER: Partial<Record<Role, (text: string, country: string) => MemberRow['forms']>> = {
  first_name: text => known({ first_name: nameForm(text) }),
  last_name: text => known({ last_name: nameForm(text) }),
  birthday: text => birthForm(text) ?? {},
  birth_year: text => known({ birth_year: birthYearForm(text) }),
  birth_month: text => known({ birth_month: birthMonthForm(text) }),
  birth_day: text => known({ birth_day: birthDayForm(text) }),
  gender: text => known({ gender: genderForm(text) }),
  postal_code: (text, country) => known({ postal_code: postalCodeForm(text, country) }),
  country: text => known({ country: countryForm(text) }),
}

const known = (forms: Partial<Record<MemberColumn, string | null>>): MemberRow['forms'] =>
  Object.fromEntries(Object.entries(forms).filter(([, text]) => text !== null))
