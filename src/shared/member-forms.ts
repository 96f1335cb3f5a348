import { parsePhoneNumberFromString, isSupportedCountry } from 'libphonenumber-js/max'
import { countryCodes } from './countries.ts'

// The texts that identifiers are hashed as: one clear value has several, since the platforms' rules differ.
// An identifier that cannot be used is null, and so is what says nothing.

/** As Meta, TikTok and LINE have it: without white space, in lower case. */
export function emailForm(text: string): string | null {
  const lower = text.toLowerCase()
  if (USUAL_EMAIL.test(lower)) return lower
  const email = plain(text).replaceAll(/\s+/g, '').toLowerCase()
  return email.length <= 254 && EMAIL.test(email) ? email : null
}

/** Nearly all there are: a list has millions. */
const USUAL_EMAIL = /^[a-z\d._+-]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{2,63}){1,2}$/
const EMAIL = /^[^@"(),:;<>[\\\]\p{Cc}]{1,64}@(?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}-]{2,}$/u

/** As Google has it, of what `emailForm` gives: Gmail ignores dots, and what follows a plus. */
export function googleEmailForm(email: string): string {
  const domain = GMAIL.find(end => email.endsWith(end))
  if (domain === undefined) return email
  return email.slice(0, -domain.length).replace(/\+.*$/, '').replaceAll('.', '') + domain
}

const GMAIL = ['@gmail.com', '@googlemail.com']

/** E.164 with its plus, `phone_e164`; `phone` has none. A number without a country is of this one. */
export function phoneForm(text: string, country: string): string | null {
  const number = plain(text)
  const mobile = /^\+?\d+$/.test(number) ? number : number.replaceAll(/[\s().-]/g, '')
  // Parsing takes a hundred times as long, and nearly all the numbers in a list are mobile ones.
  for (const { local, national, international } of MOBILES) {
    if (country === local && national.test(mobile)) return COUNTRY_CODES[local] + mobile.replace(/^0/, '')
    if (international.test(mobile)) return mobile
  }
  const parsed = parsePhoneNumberFromString(number, isSupportedCountry(country) ? country : undefined)
  return parsed?.isValid() === true ? parsed.number : null
}

/** Some programs drop the zero of what they take for a number. */
const MOBILES = [
  { local: 'TW', national: /^0?9\d{8}$/, international: /^\+8869\d{8}$/ },
  { local: 'JP', national: /^0[789]0[1-9]\d{7}$/, international: /^\+81[789]0[1-9]\d{7}$/ },
] as const
const COUNTRY_CODES = { TW: '+886', JP: '+81' }

/** A first or last name, in any script. */
export function nameForm(text: string): string | null {
  const name = text.trim().toLowerCase().replaceAll(/\p{P}/gu, '').trim()
  return name === '' || name.length > 300 ? null : name
}

export interface BirthForm {
  birth_year: string
  birth_month: string
  birth_day: string
}

/** A whole birthday, the year first: which of two other numbers is the month, nobody can tell. */
export function birthForm(text: string): BirthForm | null {
  const [, year = '', month = '', day = ''] = BIRTHDAY.exec(plain(text).trim()) ?? []
  const [found, of, on] = [birthYearForm(year), birthMonthForm(month), birthDayForm(day)]
  if (found === null || of === null || on === null) return null
  return { birth_year: found, birth_month: of, birth_day: on }
}

const BIRTHDAY = /^(\d{4})(?:[-/.]|年 ?)?(\d{1,2})(?:[-/.]|月 ?)?(\d{1,2})日?(?:[ T].*)?$/

export const birthYearForm = (text: string) => numberForm(text, { least: 1900, most: 2099, digits: 4 })
export const birthMonthForm = (text: string) => numberForm(text, { least: 1, most: 12, digits: 2 })
export const birthDayForm = (text: string) => numberForm(text, { least: 1, most: 31, digits: 2 })

function numberForm(
  text: string,
  { least, most, digits }: { least: number; most: number; digits: number },
): string | null {
  const [, number] = /^(\d{1,4})[年月日]?$/.exec(plain(text).trim()) ?? []
  if (number === undefined || Number(number) < least || Number(number) > most) return null
  return String(Number(number)).padStart(digits, '0')
}

export function genderForm(text: string): 'm' | 'f' | null {
  const word = plain(text).trim().toLowerCase()
  if (MEN.includes(word)) return 'm'
  return WOMEN.includes(word) ? 'f' : null
}

const MEN = ['m', 'male', 'man', 'mr', 'mr.', '男', '男性', '先生']
const WOMEN = ['f', 'female', 'woman', 'ms', 'ms.', 'mrs', 'mrs.', '女', '女性', '小姐', '女士']

/** Of the United States the first five digits. */
export function postalCodeForm(text: string, country: string): string | null {
  const code = plain(text)
    .replaceAll(/[\s〒]+/g, '')
    .toLowerCase()
  if (code === '' || code.length > 12) return null
  return country === 'US' ? (/^\d{5}/.exec(code)?.[0] ?? null) : code
}

/** ISO 3166-1, lower-case; the names of the countries that most lists are of, too. */
export function countryForm(text: string): string | null {
  const word = plain(text).trim().toLowerCase()
  const code = NAMES[word] ?? word
  return countryCodes.includes(code.toUpperCase()) ? code : null
}

const NAMES: Record<string, string | undefined> = {
  taiwan: 'tw',
  台灣: 'tw',
  臺灣: 'tw',
  台湾: 'tw',
  japan: 'jp',
  日本: 'jp',
  'hong kong': 'hk',
  香港: 'hk',
  usa: 'us',
  'united states': 'us',
  美國: 'us',
  アメリカ: 'us',
}

/** Whether a cell of a column about consent gives it; everything else, nothing included, does not. */
export const isConsent = (text: string): boolean => YES.includes(plain(text).trim().toLowerCase())

const YES = ['1', 'y', 'yes', 'true', '是', '同意', 'はい']

/** Full-width letters and digits as plain ones, without what is invisible, as address books have it. */
const plain = (text: string): string =>
  /^[ -~]*$/.test(text) ? text : text.normalize('NFKC').replaceAll(/\p{Cf}/gu, '')
