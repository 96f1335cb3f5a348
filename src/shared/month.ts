// A month is yyyy-MM on the wire and in the rules, its first day in the database.

export const firstDayOf = (month: string): string => `${month}-01`
export const monthOf = (day: string): string => day.slice(0, 7)

export const plusMonths = (month: string, months: number): string =>
  Temporal.PlainYearMonth.from(month).add({ months }).toString()
