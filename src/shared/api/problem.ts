import { z } from 'zod'

/** application/problem+json: field errors stand at the top level under the field's name. */
export const Problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  /** One of errors.ts; what the interface translates. */
  code: z.string(),
  detail: z.string(),
  request_id: z.string().optional(),
})
export type Problem = z.infer<typeof Problem>
