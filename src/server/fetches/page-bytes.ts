import { z } from 'zod'
import type { Page } from '#server/connectors/connector.ts'

// A page as bytes: the length of its head, the head as JSON, then per column of texts the indexes of its
// rows' values in the head's list, then the metrics' own bytes. So NaN, -0 and the last digit of every number
// are restored exactly.

const Head = z.object({
  length: z.int(),
  /** The values of each column of texts, each once: dates first, then keys and labels as `columns` says. */
  values: z.array(z.array(z.string())),
  has_labels: z.array(z.boolean()),
  metrics: z.int(),
})
const LENGTH_BYTES = 4

/** A copy: connectors may reuse a page's buffers for the next one. */
export function bytesOf({ length, dates, dimensions, metrics }: Page): Buffer {
  const texts = [dates, ...dimensions.flatMap(({ keys, labels }) => (labels ? [keys, labels] : [keys]))]
  const values: string[][] = []
  const indexes = texts.map(column => {
    const known = new Map<string, number>()
    const rowIndexes = Uint32Array.from({ length }, (_, row) => {
      const value = column[row] ?? ''
      const index = known.get(value) ?? known.size
      if (index === known.size) known.set(value, index)
      return index
    })
    values.push([...known.keys()])
    return rowIndexes
  })
  const head: z.infer<typeof Head> = {
    length,
    values,
    has_labels: dimensions.map(({ labels }) => labels !== undefined),
    metrics: metrics.length,
  }
  const headBytes = Buffer.from(JSON.stringify(head))
  const headLength = Buffer.alloc(LENGTH_BYTES)
  headLength.writeUInt32LE(headBytes.length)
  const columns = [...indexes, ...metrics.map(column => column.subarray(0, length))]
  return Buffer.concat([
    headLength,
    headBytes,
    ...columns.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  ])
}

/** The pages of bytes that `bytesOf` has made, one after the other. */
export function* pagesIn(bytes: Uint8Array): Generator<Page> {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  const take = (count: number) => all.subarray(at, (at += count))
  /** Numbers of several bytes must begin at a multiple of them. */
  const aligned = (count: number) => new Uint8Array(take(count)).buffer
  while (at < all.length) {
    const head = Head.parse(JSON.parse(take(take(LENGTH_BYTES).readUInt32LE()).toString()))
    const { length } = head
    const [dates = [], ...texts] = head.values.map(values => {
      const indexes = new Uint32Array(aligned(length * Uint32Array.BYTES_PER_ELEMENT))
      return Array.from(indexes, index => values[index] ?? '')
    })
    const dimensions = head.has_labels.map(has_labels => {
      const keys = texts.shift() ?? []
      return has_labels ? { keys, labels: texts.shift() ?? [] } : { keys }
    })
    const metrics = Array.from(
      { length: head.metrics },
      () => new Float64Array(aligned(length * Float64Array.BYTES_PER_ELEMENT)),
    )
    yield { length, dates, dimensions, metrics }
  }
}
