import type { Language } from '#shared/language.ts'

/** yyyy-MM, so many months later. */
export function monthsLater(month: string, by: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const count = year * 12 + number - 1 + by
  return `${Math.floor(count / 12)}-${String((count % 12) + 1).padStart(2, '0')}`
}

/** All months from the first to the last. */
export function monthsBetween(first: string, last: string): string[] {
  const months: string[] = []
  for (let month = first; month <= last; month = monthsLater(month, 1)) months.push(month)
  return months
}

/** "Nov 2026", "2026年11月" */
export const monthText = (month: string, language: Language) =>
  new Intl.DateTimeFormat(language, { year: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  )
