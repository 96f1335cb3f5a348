import { todayIn } from '#shared/date-range.ts'

/** Of the organisation, as far as the browser knows: the day that documents are dated by. */
export const today = (): string => todayIn(Temporal.Now.timeZoneId(), new Date())
