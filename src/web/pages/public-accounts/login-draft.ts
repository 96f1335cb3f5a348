import type { PublicAccountPlatform } from '#shared/api/public-accounts.ts'
import type { Language } from '#shared/language.ts'

/** A login while it is entered. */
export interface LoginDraft {
  /** Which of the platform's sets of fields is being filled in. */
  way: number
  /** By field; also those of other ways, which are not sent. */
  texts: Readonly<Record<string, string>>
  /** yyyy-MM-dd; empty: nobody knows. */
  expires_on: string
}

export const EMPTY_LOGIN: LoginDraft = { way: 0, texts: {}, expires_on: '' }

/** The fields of the chosen way, and those that go with any: required ones first named as such. */
export function fieldsOf(platform: PublicAccountPlatform, { way }: LoginDraft) {
  const needed = platform.needs[way] ?? []
  const ofOthers = platform.needs.flat().filter(field => !needed.includes(field))
  return platform.fields
    .filter(({ field }) => !ofOthers.includes(field))
    .map(field => ({ ...field, required: needed.includes(field.field) }))
}

/** The ways to sign in, each named after its fields. */
export const waysOf = (platform: PublicAccountPlatform, language: Language) =>
  platform.needs.map((set, way) => ({
    value: String(way),
    label: set
      .map(name => platform.fields.find(({ field }) => field === name)?.names[language] ?? name)
      .join(' + '),
  }))

export const isWhole = (platform: PublicAccountPlatform, draft: LoginDraft): boolean =>
  fieldsOf(platform, draft).every(({ field, required }) => !required || draft.texts[field]?.trim())

/** The body of the request. */
export function loginOf(platform: PublicAccountPlatform, draft: LoginDraft) {
  const texts = fieldsOf(platform, draft).map(({ field }) => [field, draft.texts[field] ?? ''])
  return {
    login: Object.fromEntries(texts) as Record<string, string>,
    // From the beginning of that day on, in the person's time zone.
    expires_at: draft.expires_on === '' ? null : new Date(`${draft.expires_on}T00:00`).toISOString(),
  }
}
