import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import type { ContentQuery } from '#shared/api/materials.ts'
import type { LinkTarget } from '#server/files/signed-links.ts'
import type { RequestSlot } from '#server/http/capacity.ts'
import type { Effects } from '#server/http/effects.ts'
import { refuse } from '#server/http/refusal.ts'
import { sendFile, type ServedFile } from '#server/http/send-file.ts'

interface ContentInput {
  query: z.output<typeof ContentQuery>
  now: Date
  effects: Effects
  reply: FastifyReply
  slot: RequestSlot
}

/**
 * Sends what a link leads to. A link that is wrong, over, or of a row that is gone is not found: nobody
 * learns which.
 */
export async function sendContent(
  { query: { expires, signature }, now, effects, reply, slot }: ContentInput,
  target: LinkTarget,
  find: () => Promise<ServedFile | null>,
): Promise<void> {
  const { files, requestLimits } = effects
  const until = files.links.verify(target, { expires: Number(expires), signature }, now)
  const file = until && (await find())
  if (!file) throw refuse('not_found')
  await sendFile(file, { store: files.store, reply, slot, requestLimits, now, expires: until })
}
