import { useLanguage } from '#web/i18n/use-translation.ts'

/** A number as the language writes it, in figures of one width. */
export function Count({ value }: { value: number }) {
  const language = useLanguage()
  return <span data-tabular>{value.toLocaleString(language)}</span>
}
