import { z } from 'zod'
import { filterFields, type FilterField } from '#shared/channels/catalogue.ts'
import { channelIds } from '#shared/channels/ids.ts'
import { limits } from '#shared/limits.ts'

/** How many suggestions are returned at once. */
export const MAX_FILTER_VALUES = 50

export const FilterValuesQuery = z.object({
  channel: z.enum(channelIds),
  /** Comma-separated ids of usable accounts. */
  accounts: z
    .string()
    .regex(/^\d{1,15}(,\d{1,15})*$/)
    .transform(text => [...new Set(text.split(',').map(Number))])
    .pipe(z.array(z.number()).max(limits.accounts)),
  field: z.enum(Object.keys(filterFields) as [FilterField, ...FilterField[]]),
  search: z.string().max(200).default(''),
})

/** What a filter on the field may be about, by name. */
export const FilterValues = z.object({
  values: z.array(z.string()),
  /**
   * false: a platform is still being queried or does not respond; send the request again in a few seconds for
   * the rest.
   */
  complete: z.boolean(),
})
export type FilterValues = z.infer<typeof FilterValues>
