import { z } from 'zod'

/** What every fault says: which requests it hits, how many of them, and how much later an answer comes. */
export const faultFields = {
  account: z.string().regex(/^\d+$/).optional(),
  path: z.string().max(200).refine(isPattern, 'not a regular expression').optional(),
  count: z.int().positive().optional(),
  skip: z.int().nonnegative().default(0),
  delay_ms: z.int().nonnegative().max(600_000).optional(),
}

/**
 * One way in which Meta goes wrong. It stays until it is switched off, or for `count` fitting requests after
 * `skip` of them. `account` is the bare number of an ad account, `path` a regular expression over the path.
 *
 * latency: responds `delay_ms` later, otherwise as usual.
 * rate_limit: refuses by `code` and `error_subcode`: 4/1504022, 17/2446079 (when none is given), 32, 613,
 * 613/1487742, 80000, 80003, 80004. server_error: `status` with code 2 (500), or with a page that is no JSON
 * (502, 503, 504). cut: breaks the connection in the middle of the response. malformed: responds with broken
 * JSON. expired_token, revoked: the token's or the account's access is gone. async_failed, async_too_much,
 * async_skipped: the outcome of the report jobs that are started now. too_much_data: refuses a synchronous
 * request as too large. repeat_page: instead of a page of insights sends the rows of the page before it once
 * more. reorder: cuts a page of insights out of the list in another order; when that lasts, no row is lost by
 * it. usage: responds, with `percent` in every usage header. error: any other, by `code`, `error_subcode`,
 * `message` and `status`.
 */
export const MetaFault = z.strictObject({
  platform: z.literal('meta'),
  ...faultFields,
  method: z.enum(['GET', 'POST', 'DELETE']).optional(),
  action: z.enum([
    'latency',
    'rate_limit',
    'server_error',
    'cut',
    'malformed',
    'expired_token',
    'revoked',
    'async_failed',
    'async_too_much',
    'async_skipped',
    'too_much_data',
    'repeat_page',
    'reorder',
    'usage',
    'error',
  ]),
  status: z.int().min(400).max(599).optional(),
  code: z.int().optional(),
  error_subcode: z.int().optional(),
  message: z.string().optional(),
  percent: z.number().min(0).max(100).optional(),
})
export type MetaFault = z.infer<typeof MetaFault>

/** As far as it matters here. */
interface Fault {
  account?: string | undefined
  method?: string | undefined
  path?: string | undefined
  count?: number | undefined
  skip: number
  action: string
}

export interface Faults<Kind extends Fault = MetaFault> {
  list(): Kind[]
  set(faults: Kind[]): void
  /** The faults that match this request, each counted down by one; at most one of every action. */
  take(request: { account: string | null; method: string; path: string }): Kind[]
}

export function createFaults<Kind extends Fault = MetaFault>(): Faults<Kind> {
  let armed: Kind[] = []
  return {
    list: () => armed.map(fault => ({ ...fault })),
    set(faults) {
      armed = faults.map(fault => ({ ...fault }))
    },
    take(request) {
      const hits: Kind[] = []
      for (const fault of armed) {
        if (!fits(fault, request) || hits.some(hit => hit.action === fault.action)) continue
        if (fault.skip > 0) {
          fault.skip--
          continue
        }
        hits.push(fault)
        if (fault.count !== undefined) fault.count--
      }
      armed = armed.filter(fault => fault.count !== 0)
      return hits
    },
  }
}

/** The faults of a platform for the control endpoint; a ZodError when one is invalid. */
export const armedBy = <Kind extends Fault>(
  platform: string,
  faults: Faults<Kind>,
  schema: z.ZodType<Kind>,
) => ({
  platforms: [platform],
  getFaults: faults.list,
  setFaults: (list: unknown[]) => faults.set(z.array(schema).parse(list)),
})

const fits = (fault: Fault, request: { account: string | null; method: string; path: string }) =>
  (fault.account === undefined || fault.account === request.account) &&
  (fault.method === undefined || fault.method === request.method) &&
  (fault.path === undefined || new RegExp(fault.path).test(request.path))

function isPattern(text: string) {
  try {
    return new RegExp(text) instanceof RegExp
  } catch {
    return false
  }
}
