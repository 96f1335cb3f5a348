import { z } from 'zod'

/** application/problem+json: field errors are at the top level under the field's name. */
export const Problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  /** A code of errors.ts, which the interface translates. */
  code: z.string(),
  detail: z.string(),
  request_id: z.string().optional(),
  /** The codes behind the field errors, by field (`channels.0.accounts`), in the order of their texts. */
  codes: z.record(z.string(), z.array(z.string())).optional(),
  /** What a field's code is about, where it says more. */
  details: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
})
export type Problem = z.infer<typeof Problem>
