import { z } from 'zod'

/**
 * One way to go wrong. The first fault whose `method` and `path` (a regular expression over the path of the
 * request) fit is used, after `skip` fitting requests went through, for `count` requests (default 1).
 *
 * 429, 500, 503, expired_token (401), forbidden (403): the response at once, nothing is done.
 * delay: the request is carried out `delay_ms` later.
 * drop_before_commit: the connection is cut, nothing is done. drop_after_commit: it is done, then the
 * connection is cut. land_late: the connection is cut, and the request is carried out `delay_ms` later.
 * truncate: it is done, and half of the JSON is sent. edit: before the request the owner changes the
 * spreadsheet with `requests` (kinds of batchUpdate): tabs renamed mid-run and such.
 */
export const Fault = z.strictObject({
  platform: z.enum(['sheets', 'drive']),
  method: z.string().optional(),
  path: z.string().refine(isPattern, 'not a regular expression').optional(),
  count: z.number().int().positive().default(1),
  skip: z.number().int().nonnegative().default(0),
  action: z.enum([
    '429',
    '500',
    '503',
    'delay',
    'drop_before_commit',
    'drop_after_commit',
    'land_late',
    'truncate',
    'expired_token',
    'forbidden',
    'edit',
  ]),
  delay_ms: z.number().int().nonnegative().default(0),
  requests: z.array(z.record(z.string(), z.unknown())).optional(),
})
export type Fault = z.infer<typeof Fault>

function isPattern(text: string) {
  try {
    return new RegExp(text) instanceof RegExp
  } catch {
    return false
  }
}

export function openFaults() {
  let armed: Fault[] = []
  return {
    list: () => armed.map(fault => ({ ...fault })),
    /** Replace all; throws a ZodError when one is no fault. */
    set: (faults: unknown) => void (armed = z.array(Fault).parse(faults)),
    /** The fault for this request, counted down by one; null when it may go through. */
    take(platform: Fault['platform'], method: string, path: string): Fault | null {
      for (const fault of armed) {
        if (fault.platform !== platform) continue
        if (fault.method && fault.method.toUpperCase() !== method) continue
        if (fault.path && !new RegExp(fault.path).test(path)) continue
        if (fault.skip > 0) {
          fault.skip--
          continue
        }
        if (--fault.count === 0) armed = armed.filter(each => each !== fault)
        return fault
      }
      return null
    },
  }
}
