import { z } from 'zod'
import { channelIds, type Channel } from '../channels/all.ts'
import { Id, IdText, Instant, listOf, listQuery } from './list.ts'

export const AdAccount = z.object({
  id: Id,
  channel: z.enum(channelIds as [Channel, ...Channel[]]),
  external_id: z.string(),
  name: z.string(),
  currency: z.string(),
  timezone: z.string(),
  status: z.string(),
  ecid: z.string().nullable(),
  advertiser: Id.nullable(),
  advertiser_name: z.string().nullable(),
  last_checked_at: Instant.nullable(),
})
export type AdAccount = z.infer<typeof AdAccount>

export const AdAccountQuery = listQuery(['id', 'name'], 'name').extend({
  channel: z.enum(channelIds as [Channel, ...Channel[]]).optional(),
  advertiser: IdText.optional(),
  /** Comma-separated ids, to read the ones a report uses. */
  ids: z
    .string()
    .regex(/^\d{1,15}(,\d{1,15}){0,499}$/)
    .transform(text => text.split(',').map(Number))
    .optional(),
})
export const AdAccountList = listOf(AdAccount)
