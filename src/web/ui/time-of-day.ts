/**
 * A time of the day as the picker has it: the half, and the quarter hour within it as `hh:mm` from 12:00 to
 * 11:45.
 */
export interface TimeOfDay {
  half: 'am' | 'pm'
  quarter: string
}

/** `12:00`, `12:15` … `11:45`: the quarter hours of half a day in their order. */
export const quarters: readonly string[] = Array.from({ length: 48 }, (_, index) => {
  const hour = Math.floor(index / 4) || 12
  return `${String(hour).padStart(2, '0')}:${String((index % 4) * 15).padStart(2, '0')}`
})

/** `HH:mm:ss` → half and quarter hour; minutes in between go to the quarter before. */
export function splitTime(time: string): TimeOfDay {
  const hour = Number(time.slice(0, 2))
  const quarter = quarters[(hour % 12) * 4 + Math.floor(Number(time.slice(3, 5)) / 15)]
  return { half: hour < 12 ? 'am' : 'pm', quarter: quarter ?? '12:00' }
}

/** Back to `HH:mm:ss`. */
export function joinTime({ half, quarter }: TimeOfDay): string {
  const hour = (Number(quarter.slice(0, 2)) % 12) + (half === 'pm' ? 12 : 0)
  return `${String(hour).padStart(2, '0')}:${quarter.slice(3, 5)}:00`
}
