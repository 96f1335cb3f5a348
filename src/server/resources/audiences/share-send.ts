import { errorFacts } from '#shared/errors.ts'
import { chunked } from '#shared/chunked.ts'
import type { Batch, MemberRows } from '#server/connectors/audience.ts'
import { PlatformFailure } from '#server/connectors/connector.ts'
import { readChunk } from './chunk-queries.ts'
import { nextChunks } from './share-chunk-queries.ts'
import { callPlatform, store, well, type ShareWork } from './share-claim.ts'
import { ChunkGone } from './share-failure.ts'
import { contentOf } from './share-plan.ts'
import type { Share } from './share-queries.ts'
import { partOf, targetOf, taskOf, uploadOf, withPart } from './share-target.ts'

/** The next batch of each share, the same one in one request. Returns which shares failed. */
export async function sendBatches(
  work: ShareWork,
  shares: readonly Share[],
): Promise<[Share, error: unknown][]> {
  const failed: [Share, unknown][] = []
  for (const group of Map.groupBy(shares, placeOf).values())
    for (const some of chunked(group, work.source.targets_at_once))
      failed.push(...(await sendTogether(work, some)))
  return failed
}

/** Which rows come next. Where one request reaches several accounts, platforms know no sessions. */
function placeOf(share: Share): string {
  const { session: _session, begun_at: _begun, ...place } = taskOf(share)
  return JSON.stringify([share.audience, place])
}

/** One account that is refused must not keep the rows from the others. */
async function sendTogether(work: ShareWork, shares: readonly Share[]): Promise<[Share, unknown][]> {
  const [first] = shares
  if (!first) return []
  try {
    await sendBatch(work, first, shares)
    return []
  } catch (error) {
    const isPassing = error instanceof PlatformFailure && errorFacts(error.code).retried
    if (shares.length === 1 || isPassing) return shares.map(share => [share, error])
    const failed: [Share, unknown][] = []
    for (const share of shares) failed.push(...(await sendTogether(work, [share])))
    return failed
  }
}

async function sendBatch(work: ShareWork, first: Share, shares: readonly Share[]) {
  const task = taskOf(first)
  const limit = work.source.batch_chunks + 1
  const found = await nextChunks(work.db, contentOf(first.audience, task), { after: task.after_chunk, limit })
  const chunks = found.slice(0, work.source.batch_chunks)
  const last = chunks.at(-1)
  if (!last) return
  const batch: Batch = {
    upload: uploadOf(task),
    index: task.batch + 1,
    is_last: found.length === chunks.length,
    chunks: opened(work, chunks),
  }
  const part = partOf(work, task)
  const targets = shares.map(share => targetOf(share, part))
  const states = await callPlatform(work, { name: 'send', shares }, platform => platform.send(targets, batch))
  const rows = chunks.reduce((sum, chunk) => sum + chunk.rows, 0)
  const sent = { after_chunk: last.id, batch: task.batch + 1, sent_rows: task.sent_rows + rows }
  for (const [index, share] of shares.entries()) {
    const state = states[index]
    if (!state) throw new PlatformFailure('platform_error')
    const parts = withPart(share.parts, part, state)
    const changes = { parts, task: { ...taskOf(share), ...sent }, ...well }
    await store(work, share, { ...changes, request_id: state.request_id })
  }
}

/** One after the other, so that no more than one is in memory. */
async function* opened(
  { db, effects }: ShareWork,
  chunks: readonly { id: number }[],
): AsyncGenerator<MemberRows> {
  for (const { id } of chunks) {
    const chunk = await readChunk(db, id)
    if (!chunk) throw new ChunkGone()
    yield effects.openChunk(chunk)
  }
}
