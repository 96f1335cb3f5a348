/** A typed day as yyyy-MM-dd, its zeros filled in; null when the calendar has none like it. */
export function dayOf({ year, month, day }: { year: string; month: string; day: string }): string | null {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString() === text ? text : null
  } catch {
    return null
  }
}
