import { z } from 'zod'
import type { Page } from '#server/connectors/connector.ts'
import {
  constantColumn,
  createTextList,
  translator,
  type TextColumn,
} from '#server/connectors/text-column.ts'

// A page as bytes: the length of its head, the head as JSON, then per column of texts the indexes of its
// rows' values in the column's list, then the metrics' own bytes. So NaN, -0 and the last digit of every
// number are restored exactly. A head has the values that no page before had: most name the same entities.

const Head = z.object({
  length: z.int(),
  /** New values of each column of texts: dates first, then keys and labels as `columns` says. */
  values: z.array(z.array(z.string())),
  has_labels: z.array(z.boolean()),
  metrics: z.int(),
})
const LENGTH_BYTES = 4

/** Makes bytes of the pages of one response, in order. They are copies: connectors may reuse buffers. */
export function pageWriter(): (page: Page) => Buffer {
  const columns: ReturnType<typeof columnWriter>[] = []
  return ({ length, dates, dimensions, metrics }) => {
    const texts = [dates, ...dimensions.flatMap(({ keys, labels }) => (labels ? [keys, labels] : [keys]))]
    const written = texts.map((column, index) => (columns[index] ??= columnWriter())(column, length))
    const head: z.infer<typeof Head> = {
      length,
      values: written.map(({ values }) => values),
      has_labels: dimensions.map(({ labels }) => labels !== undefined),
      metrics: metrics.length,
    }
    const headBytes = Buffer.from(JSON.stringify(head))
    const headLength = Buffer.alloc(LENGTH_BYTES)
    headLength.writeUInt32LE(headBytes.length)
    const numbers = [
      ...written.map(({ codes }) => codes),
      ...metrics.map(column => column.subarray(0, length)),
    ]
    return Buffer.concat([
      headLength,
      headBytes,
      ...numbers.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
    ])
  }
}

/** Numbers the values of its rows alone: a list that pages share may have those of other requests. */
function columnWriter() {
  const list = createTextList()
  const translate = translator(list.codeOf)
  let written = 0
  return (column: TextColumn, length: number): { codes: Int32Array; values: string[] } => {
    const codes = new Int32Array(length)
    translate(column, { codes, from: 0, step: 1, length })
    const values = list.values.slice(written)
    written = list.values.length
    return { codes, values }
  }
}

/** Reads bytes that a `pageWriter` has made: all of them, in order, some whole pages at a time. */
export function pageReader(): (bytes: Uint8Array) => Generator<Page> {
  const lists: string[][] = []
  return function* (bytes) {
    const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let at = 0
    const take = (count: number) => all.subarray(at, (at += count))
    /** Numbers of several bytes must begin at a multiple of them. */
    const aligned = (count: number) => new Uint8Array(take(count)).buffer
    while (at < all.length) {
      const head = Head.parse(JSON.parse(take(take(LENGTH_BYTES).readUInt32LE()).toString()))
      const { length } = head
      const texts = head.values.map((values, index) => {
        const list = (lists[index] ??= [])
        for (const value of values) list.push(value)
        return { codes: new Int32Array(aligned(length * Int32Array.BYTES_PER_ELEMENT)), values: list }
      })
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
}
