import { useState } from 'react'
import { todayIn } from '#shared/date-range.ts'
import { useMe } from '#web/client/me.ts'

/** The day that documents are dated by, in the organisation's zone, when the widget was first drawn. */
export function useToday(): string {
  const { time_zone } = useMe()
  const [today] = useState(() => todayIn(time_zone, new Date()))
  return today
}
