import { z } from 'zod'
import { Identity } from './people.ts'

/** Whom the demo agency consists of, so that the sign-in page can offer them; 404 outside of demo mode. */
export const Demo = z.object({
  users: z.array(z.object({ username: z.string(), identity: Identity, name: z.string() })),
  /** The same for all of them. */
  password: z.string(),
})
export type Demo = z.infer<typeof Demo>
