import type { Language } from '#shared/language.ts'
import { perLanguage } from './per-language.ts'

/** Texts by key, nested as deep as the writer likes. */
export interface Texts {
  readonly [key: string]: string | Texts
}

/** Every path to a text, such as `nav.open`; `rows_one` and `rows_other` are the one key `rows`. */
export type KeyOf<T> = {
  [Key in keyof T & string]: T[Key] extends string ? Singular<Key> : `${Key}.${KeyOf<T[Key]>}`
}[keyof T & string]

type Singular<Key extends string> = Key extends `${infer Name}_one`
  ? Name
  : Key extends `${infer Name}_other`
    ? Name
    : Key

type TextAt<T, Key extends string> = Key extends keyof T
  ? T[Key]
  : Key extends `${infer Head}.${infer Rest}`
    ? Head extends keyof T
      ? TextAt<T[Head], Rest>
      : never
    : `${Key}_other` extends keyof T
      ? T[`${Key}_other`]
      : never

type Placeholders<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never

/** What must be given beside the key: a value for each `{{placeholder}}` of its text. */
export type ValuesOf<T, Key extends string> = [Placeholders<TextAt<T, Key>>] extends [never]
  ? []
  : [values: Readonly<Record<Placeholders<TextAt<T, Key>>, string | number>>]

/** `t('rows', { count: 3 })`: compiles only for keys and placeholders that exist. */
export type Translate<T> = <Key extends KeyOf<T>>(key: Key, ...values: ValuesOf<T, Key>) => string

/**
 * The text under `key` with its placeholders filled. Where the texts have `key_one` and `key_other`, `count`
 * chooses by the language's plural rules. A number is written with the language's separators.
 */
export function translate(
  texts: Texts,
  key: string,
  { values = {}, language }: { values?: Readonly<Record<string, string | number>>; language: Language },
): string {
  const text =
    find(texts, key) ??
    find(texts, `${key}_${pluralOf(values.count, language)}`) ??
    find(texts, `${key}_other`)
  if (text === undefined) return key
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name] ?? ''
    return typeof value === 'number' ? numbersOf(language).format(value) : value
  })
}

function find(texts: Texts, key: string): string | undefined {
  let at: string | Texts | undefined = texts
  for (const part of key.split('.')) {
    if (at === undefined || typeof at === 'string') return undefined
    at = at[part]
  }
  return typeof at === 'string' ? at : undefined
}

const pluralOf = (count: string | number | undefined, language: Language) =>
  rulesOf(language).select(Number(count ?? 0))

// Creating one takes longer than using it a hundred times.
const rulesOf = perLanguage(language => new Intl.PluralRules(language))
const numbersOf = perLanguage(language => new Intl.NumberFormat(language))
