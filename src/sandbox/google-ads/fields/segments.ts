import { isoOf, monthStart, weekdayOf } from '#sandbox/dataset/calendar.ts'
import { CONVERSION_ACTIONS } from '#sandbox/dataset/google-ads.ts'
import type { DataType } from './field.ts'

export interface Segment {
  type: DataType
  values?: readonly string[]
  kind: 'date' | 'part' | 'action'
}

const one = (type: DataType, kind: Segment['kind'], values?: readonly string[]): Segment => ({
  type,
  kind,
  ...(values && { values }),
})

const WEEKDAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const
const DEVICES = ['UNSPECIFIED', 'UNKNOWN', 'MOBILE', 'TABLET', 'DESKTOP', 'CONNECTED_TV', 'OTHER']
const NETWORKS =
  'UNSPECIFIED UNKNOWN SEARCH SEARCH_PARTNERS CONTENT MIXED YOUTUBE GOOGLE_TV GOOGLE_OWNED_CHANNELS GMAIL DISCOVER MAPS'.split(
    ' ',
  )
const CATEGORIES = ['UNSPECIFIED', 'UNKNOWN', ...CONVERSION_ACTIONS.map(action => action.category)]

const TABLE = {
  'segments.date': one('DATE', 'date'),
  'segments.week': one('DATE', 'date'),
  'segments.month': one('DATE', 'date'),
  'segments.quarter': one('DATE', 'date'),
  'segments.year': one('INT32', 'date'),
  'segments.day_of_week': one('ENUM', 'date', ['UNSPECIFIED', 'UNKNOWN', ...WEEKDAYS]),
  'segments.hour': one('INT32', 'part'),
  'segments.device': one('ENUM', 'part', DEVICES),
  'segments.ad_network_type': one('ENUM', 'part', NETWORKS),
  'segments.conversion_action': one('RESOURCE_NAME', 'action'),
  'segments.conversion_action_name': one('STRING', 'action'),
  'segments.conversion_action_category': one('ENUM', 'action', CATEGORIES),
} satisfies Record<string, Segment>

export const SEGMENTS: ReadonlyMap<string, Segment> = new Map(Object.entries(TABLE))

/** May be filtered without being selected. */
export const CORE_DATES = new Set([
  'segments.date',
  'segments.week',
  'segments.month',
  'segments.quarter',
  'segments.year',
])

/** The value of a segment of time on a day. */
export function dateValue(segment: string, day: number): string | number {
  switch (segment) {
    case 'segments.week':
      return isoOf(day - weekdayOf(day))
    case 'segments.month':
      return isoOf(monthStart(day))
    case 'segments.quarter': {
      const month = Number(isoOf(day).slice(5, 7))
      return `${isoOf(day).slice(0, 4)}-${String(month - ((month - 1) % 3)).padStart(2, '0')}-01`
    }
    case 'segments.year':
      return Number(isoOf(day).slice(0, 4))
    case 'segments.day_of_week':
      return WEEKDAYS[weekdayOf(day)] ?? 'UNKNOWN'
    default:
      return isoOf(day)
  }
}
