/** These bytes of a file; throws RangeError where it has fewer. */
export function slice(view: DataView, start: number, end: number): Uint8Array {
  if (start < 0 || end < start || end > view.byteLength) throw new RangeError('beyond the end of the file')
  return new Uint8Array(view.buffer, view.byteOffset + start, end - start)
}

/** The same as text, one character a byte. */
export const textAt = (view: DataView, start: number, length: number): string =>
  String.fromCharCode(...slice(view, start, start + length))
