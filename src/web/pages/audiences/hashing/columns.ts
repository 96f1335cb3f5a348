import { memberColumns, type MemberColumn } from '#shared/audiences.ts'
import { emailForm, phoneForm } from '#shared/member-forms.ts'
import { roles, type ColumnRoles, type Role } from './file-format.ts'

/** By its heading, else by what is in it. Each role is given once: to the first column that fits. */
export function proposeColumns(rows: readonly (readonly string[])[]): {
  has_headings: boolean
  columns: (Role | null)[]
} {
  const [first = [], ...others] = rows
  const named = first.map(roleOfHeading)
  const isHeaded = named.some(role => role !== null) || (looksLikeHeadings(first) && others.length > 0)
  const body = isHeaded ? others : rows
  const width = Math.max(0, ...rows.map(row => row.length))
  const columns: (Role | null)[] = []
  const propose = (at: number, role: Role | null) => {
    columns[at] ??= role !== null && !columns.includes(role) ? role : null
  }
  for (let at = 0; at < width; at++) propose(at, isHeaded ? (named[at] ?? null) : null)
  for (let at = 0; at < width; at++) propose(at, roleOfContent(body.map(row => row[at] ?? '')))
  return { has_headings: isHeaded, columns }
}

/** Of what `columns` name, what is hashed and sent: each identifier in all the forms that platforms need. */
export function formsOf(columns: ColumnRoles): MemberColumn[] {
  const forms = new Set(columns.flatMap(role => (role === null ? [] : FORMS[role])))
  return memberColumns.filter(column => forms.has(column))
}

const FORMS: Record<Role, readonly MemberColumn[]> = {
  email: ['email', 'email_google'],
  phone: ['phone', 'phone_e164'],
  first_name: ['first_name'],
  last_name: ['last_name'],
  birthday: ['birth_year', 'birth_month', 'birth_day'],
  birth_year: ['birth_year'],
  birth_month: ['birth_month'],
  birth_day: ['birth_day'],
  gender: ['gender'],
  postal_code: ['postal_code'],
  country: ['country'],
  consent: [],
}

function roleOfHeading(heading: string): Role | null {
  const text = heading
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_.:()-]+/g, '')
  return roles.find(role => HEADINGS[role].test(text)) ?? null
}

/** Without spaces and signs, in lower case. */
const HEADINGS: Record<Role, RegExp> = {
  email:
    /^(e?mail(address)?|(電子)?(郵件|郵箱|信箱)(地址)?|email信箱|(電子)?メール(アドレス)?|mailアドレス|eメール)$/,
  phone:
    /^((mobile|cell)?(phone)?(number)?|tel(ephone)?|mobileno|phoneno|(行動|聯絡|連絡)?電話(號碼|番号)?|手機(號碼)?|行動|携帯(電話)?(番号)?)$/,
  first_name: /^(first|given)name$|^fn$|^名$|^名字$|^下の名前$/,
  last_name: /^(last|family|sur)name$|^ln$|^姓$|^姓氏$|^苗字$/,
  birthday: /^(birth(day|date)|dateofbirth|dob|(出生)?(生日|出生日期|出生年月日)|生年月日|誕生日)$/,
  birth_year: /^(birthyear|yearofbirth|doby|出生年(份)?|生年)$/,
  birth_month: /^(birthmonth|monthofbirth|dobm|出生月(份)?|生月)$/,
  birth_day: /^(birthdayofmonth|dobd|出生日)$/,
  gender: /^(gender|sex|gen|性別)$/,
  postal_code: /^(zip(code)?|post(al)?code|郵遞區號|郵便番号)$/,
  country: /^(country(code)?|nation|國家|國別|国|国名)$/,
  consent:
    /^((marketing)?consent|optin|agree(d|ment)?|行銷同意|是否同意|同意|同意書|(メルマガ)?配信(希望|同意)|同意(有無|する)?)$/,
}

/** Words only, and as many as there are columns. */
const looksLikeHeadings = (row: readonly string[]) =>
  row.length > 1 && row.every(cell => cell.trim() !== '' && !/[@\d]/.test(cell))

/** At least half of what is filled in. */
function roleOfContent(cells: readonly string[]): Role | null {
  const filled = cells.filter(cell => cell.trim() !== '').slice(0, SAMPLE)
  const isMostly = (fits: (cell: string) => boolean) =>
    filled.length > 0 && filled.filter(fits).length * 2 >= filled.length
  if (isMostly(cell => emailForm(cell) !== null)) return 'email'
  if (isMostly(cell => COUNTRIES.some(country => phoneForm(cell, country) !== null) && !isDay(cell)))
    return 'phone'
  return null
}

const SAMPLE = 50
const COUNTRIES = ['TW', 'JP', 'US']
const isDay = (cell: string) => /^(19|20)\d{2}([-/.]?)\d{1,2}\2\d{1,2}$/.test(cell.trim())
