/** These bytes of a file; throws RangeError where it has fewer. */
export function slice(view: DataView, start: number, end: number): Uint8Array {
  if (start < 0 || end < start || end > view.byteLength) throw new RangeError('beyond the end of the file')
  return new Uint8Array(view.buffer, view.byteOffset + start, end - start)
}

/** The same as text, one character a byte. */
export const textAt = (view: DataView, start: number, length: number): string =>
  String.fromCharCode(...slice(view, start, start + length))

/**
 * Called for each part of a file. Pictures have some hundred; one that is made of a million would hold up
 * everybody while it is read.
 */
export function partCounter(): () => void {
  let count = 0
  return () => {
    count += 1
    if (count > MOST_PARTS) throw new RangeError('more parts than a picture has')
  }
}

/** An animation of ten thousand pictures, each with its control. */
const MOST_PARTS = 20_000
