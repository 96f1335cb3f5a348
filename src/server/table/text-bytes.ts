import { ensure, openOutput, writeText, type Output } from './json-bytes.ts'

/** Texts of one dimension as JSON, encoded at the first use of each and copied from then on. */
export interface TextBytes {
  texts: readonly string[]
  /** The position of text `t`: from `ends[t] - lengths[t]` on; length 0: not encoded yet. */
  ends: Int32Array
  lengths: Int32Array
  encoded: Output
}

export const textBytes = (texts: readonly string[]): TextBytes => ({
  texts,
  ends: new Int32Array(texts.length),
  lengths: new Int32Array(texts.length),
  encoded: openOutput(1024),
})

/** How many bytes one of the texts takes. */
export function textLength(known: TextBytes, text: number): number {
  const length = known.lengths[text] ?? 0
  return length > 0 ? length : encode(known, text)
}

function encode({ texts, ends, lengths, encoded }: TextBytes, text: number): number {
  const from = encoded.at
  writeText(encoded, texts[text] ?? '')
  // It is copied by four bytes.
  ensure(encoded, WORD)
  ends[text] = encoded.at
  lengths[text] = encoded.at - from
  return encoded.at - from
}

/** Prints a list of numbers, each as one of the texts instead of those that were there. */
export function printList({ ends, lengths, encoded }: TextBytes, numbers: readonly number[]): void {
  const json = JSON.stringify(numbers)
  encoded.at = 0
  ensure(encoded, json.length + WORD)
  encoded.at = json.length
  const { bytes } = encoded
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).write(json, 0, 'latin1')
  let end = 0
  for (let text = 0; text < numbers.length; text++) {
    const from = end + 1
    end = from
    while (bytes[end] !== COMMA && bytes[end] !== CLOSE) end++
    ends[text] = end
    lengths[text] = end - from
  }
}

const COMMA = 0x2c
const CLOSE = 0x5d

/** Bytes that are copied at a time; what that writes behind a text is written over. */
export const WORD = 4

/** Writes a measured text from `start` on, where there is room, and returns the position behind. */
export function putText(view: DataView, start: number, { known, text }: { known: TextBytes; text: number }) {
  const length = known.lengths[text] ?? 0
  const source = known.encoded.view
  const end = start + length
  let from = (known.ends[text] ?? 0) - length
  for (let at = start; at < end; at += WORD, from += WORD)
    view.setUint32(at, source.getUint32(from, true), true)
  return end
}
