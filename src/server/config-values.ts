import { z } from 'zod'

// What several groups of settings have.

export const secret = z.string().nullable().default(null)

/** Without a slash at the end. */
export const webUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .transform(value => value.replace(/\/+$/, ''))
