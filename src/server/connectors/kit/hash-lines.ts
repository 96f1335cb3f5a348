import type { AudiencePart, Batch } from '#server/connectors/audience.ts'

/**
 * The hashes of a batch for one part of an audience, one a line, as files of customers have them; null when
 * nobody in it has such an identifier.
 */
export async function hashLinesOf({ chunks }: Batch, { columns }: AudiencePart): Promise<Buffer | null> {
  const texts: Buffer[] = []
  for await (const chunk of chunks) {
    const at = chunk.columns.findIndex(column => columns.includes(column))
    const lines = chunk.rows.flatMap(row => row[at] || [])
    if (lines.length > 0) texts.push(Buffer.from(`${lines.join('\n')}\n`, 'latin1'))
  }
  return texts.length === 0 ? null : Buffer.concat(texts)
}
