import { z } from 'zod'
import { accountById } from '#sandbox/dataset/account-id.ts'
import { ACCOUNTS } from '#sandbox/dataset/agency.ts'
import { PeopleBits } from '#sandbox/dataset/people-bits.ts'

const Replacement = z.object({ session_id: z.string(), first_at: z.number(), people: PeopleBits })

const CustomerFile = z.object({
  subtype: z.literal('CUSTOM'),
  source: z.string(),
  /** The numbers of the people whom Meta knows: each counts once, by however many hashes they came. */
  people: PeopleBits,
  /** People from before the sandbox kept count. */
  others: z.number(),
  /** A replacement of which not all batches have come. */
  replacement: Replacement.nullable(),
})
export type CustomerFile = z.output<typeof CustomerFile>

const Website = z.object({
  subtype: z.literal('WEBSITE'),
  rule: z.string(),
  retention_days: z.number(),
  /** Filled with those who came before it was made. */
  prefill: z.boolean(),
  pixel_fires: z.boolean(),
  size: z.number(),
})

const Lookalike = z.object({
  subtype: z.literal('LOOKALIKE'),
  origin_id: z.string(),
  spec: z.object({ ratio: z.number(), country: z.string(), starting_ratio: z.number().optional() }),
  size: z.number(),
})

const Engagement = z.object({ subtype: z.literal('ENGAGEMENT'), retention_days: z.number() })

/** An audience of an ad account. Its sizes and states follow from the time: states.ts. */
export const Audience = z.object({
  id: z.string(),
  account: accountById(ACCOUNTS.filter(({ channel }) => channel === 'fb')),
  name: z.string(),
  description: z.string(),
  content: z.discriminatedUnion('subtype', [CustomerFile, Website, Lookalike, Engagement]),
  created_at: z.number(),
  /** When somebody last changed who is in it, or what it is called. */
  changed_at: z.number(),
  /** Until when Meta is still working on the last change, and what the audience shows meanwhile. */
  filling: z.object({ until: z.number(), size_before: z.number(), replaces: z.boolean() }),
  /** The bare numbers of the accounts that it is shared with. */
  recipients: z.codec(z.array(z.string()), z.custom<Set<string>>(), {
    decode: ids => new Set(ids),
    encode: ids => [...ids],
  }),
})
export type Audience = z.output<typeof Audience>

export const isCustomerFile = (audience: Audience): audience is Audience & { content: CustomerFile } =>
  audience.content.subtype === 'CUSTOM'

export const isLookalikeOf = (audience: Audience, originId: string) =>
  audience.content.subtype === 'LOOKALIKE' && audience.content.origin_id === originId
