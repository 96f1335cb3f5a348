import { ensure, writeText, type Output } from './json-bytes.ts'

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
  encoded: { bytes: new Uint8Array(1024), at: 0 },
})

/** Writes one of the texts; makes room for it and a comma. */
export function writeKnownText(out: Output, known: TextBytes, at: number): void {
  const length = known.lengths[at] || make(known, at)
  ensure(out, length + 1)
  const { bytes, at: start } = out
  const from = (known.ends[at] ?? 0) - length
  const source = known.encoded.bytes
  // Short texts are copied faster here than by a call of the engine.
  for (let index = 0; index < length; index++) bytes[start + index] = source[from + index] ?? 0
  out.at = start + length
}

function make({ texts, ends, lengths, encoded }: TextBytes, at: number): number {
  const from = encoded.at
  writeText(encoded, texts[at] ?? '')
  ends[at] = encoded.at
  lengths[at] = encoded.at - from
  return encoded.at - from
}
