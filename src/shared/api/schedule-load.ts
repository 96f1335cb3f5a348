import { z } from 'zod'
import { IdText } from './list.ts'

/** The schedule for which a time is chosen, in its own zone. */
export const LoadQuery = z.object({
  timezone: z.string().max(60),
  /** 2 daily, 3 weekly, 4 monthly */
  update_frequency: z.enum(['2', '3', '4']).transform(Number),
  /** 1 Monday … 7 Sunday; for weekly */
  update_day_of_week: z.enum(['1', '2', '3', '4', '5', '6', '7']).transform(Number).optional(),
  update_day_of_month: IdText.pipe(z.number().max(31)).optional(),
})

/** How many runs begin in each quarter hour of such a day, the first at midnight; `busy` from so many on. */
export const ScheduleLoad = z.object({
  quarters: z.array(
    z.object({
      /** null for clients, who see no numbers of others. */
      reports: z.number().int().nullable(),
      /** 0 empty … 3 busy */
      level: z.number().int().min(0).max(3),
    }),
  ),
})
export type ScheduleLoad = z.infer<typeof ScheduleLoad>
