import { dayOf, isoOf, knownDay } from '#sandbox/dataset/calendar.ts'
import { invalid } from '#sandbox/ga4/errors.ts'
import type { RunReport } from '#sandbox/ga4/request.ts'

export interface Range {
  name: string
  first: number
  last: number
}

const EARLIEST = knownDay('2015-08-14')

/** The ranges of a request in the property's own days; at most four. */
export function rangesOf({ dateRanges }: RunReport, today: number): Range[] {
  if (dateRanges.length === 0) throw invalid('A dateRange is required.')
  if (dateRanges.length > 4) throw invalid('Requests are limited to 4 dateRanges.')
  return dateRanges.map(({ startDate, endDate, name }, index) => {
    const [first, last] = [dayNamed(startDate, today), dayNamed(endDate, today)]
    if (first < EARLIEST)
      throw invalid(`Invalid startDate : ${startDate}. The earliest supported date is ${isoOf(EARLIEST)}.`)
    if (first > last) throw invalid(`The start date ${startDate} must not be after the end date ${endDate}.`)
    return { name: name ?? `date_range_${index}`, first, last }
  })
}

function dayNamed(text: string, today: number): number {
  if (text === 'today') return today
  if (text === 'yesterday') return today - 1
  const ago = /^(\d{1,4})daysAgo$/.exec(text)?.[1]
  if (ago !== undefined) return today - Number(ago)
  const day = dayOf(text)
  if (day === null)
    throw invalid(`Invalid date: ${text}. Dates must be YYYY-MM-DD, NdaysAgo, yesterday or today.`)
  return day
}
