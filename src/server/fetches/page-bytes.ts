import { z } from 'zod'
import type { Page } from '#server/connectors/connector.ts'
import {
  constantColumn,
  createTextList,
  translator,
  type TextColumn,
} from '#server/connectors/text-column.ts'

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
  const ownTexts = texts.map(column => ownValues(column, length))
  const head: z.infer<typeof Head> = {
    length,
    values: ownTexts.map(({ values }) => values),
    has_labels: dimensions.map(({ labels }) => labels !== undefined),
    metrics: metrics.length,
  }
  const headBytes = Buffer.from(JSON.stringify(head))
  const headLength = Buffer.alloc(LENGTH_BYTES)
  headLength.writeUInt32LE(headBytes.length)
  const columns = [
    ...ownTexts.map(({ codes }) => codes),
    ...metrics.map(column => column.subarray(0, length)),
  ]
  return Buffer.concat([
    headLength,
    headBytes,
    ...columns.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  ])
}

/** With the values of its own rows alone: a list that pages share has those of all. */
function ownValues(column: TextColumn, length: number): { codes: Int32Array; values: string[] } {
  const { values, codeOf } = createTextList()
  const codes = new Int32Array(length)
  translator(codeOf)(column, { codes, from: 0, step: 1, length })
  return { codes, values }
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
    const texts = head.values.map(values => ({
      codes: new Int32Array(aligned(length * Int32Array.BYTES_PER_ELEMENT)),
      values,
    }))
    const nextTexts = () => texts.shift() ?? constantColumn('', length)
    const dates = nextTexts()
    const dimensions = head.has_labels.map(has_labels => {
      const keys = nextTexts()
      return has_labels ? { keys, labels: nextTexts() } : { keys }
    })
    const metrics = Array.from(
      { length: head.metrics },
      () => new Float64Array(aligned(length * Float64Array.BYTES_PER_ELEMENT)),
    )
    yield { length, dates, dimensions, metrics }
  }
}
