/**
 * Which 64-bit keys have come before. A set of JavaScript takes 50 bytes for each, this one 8 to 16: five
 * million rows must fit beside the page. That two of so many different rows have the same key happens once in
 * a million files.
 */
export class KeySet {
  #keys = new Uint32Array(2 * 1024)
  #size = 0

  /** Adds the key; whether it is a new one. */
  add(high: number, low: number): boolean {
    if (this.#size * 3 >= this.#keys.length) this.#grow()
    const isNew = insert(this.#keys, high >>> 0, low >>> 0)
    if (isNew) this.#size++
    return isNew
  }

  #grow() {
    const larger = new Uint32Array(this.#keys.length * 2)
    for (let at = 0; at < this.#keys.length; at += 2) {
      const { [at]: high = 0, [at + 1]: low = 0 } = this.#keys
      if (high !== 0 || low !== 0) insert(larger, high, low)
    }
    this.#keys = larger
  }
}

/** Open addressing, a slot of two numbers; both 0: it is free. */
function insert(keys: Uint32Array, high: number, low: number): boolean {
  const mask = keys.length / 2 - 1
  const second = high === 0 && low === 0 ? 1 : low
  for (let slot = (high ^ second) & mask; ; slot = (slot + 1) & mask) {
    const takenHigh = keys[slot * 2]
    const takenLow = keys[slot * 2 + 1]
    if (takenHigh === high && takenLow === second) return false
    if (takenHigh !== 0 || takenLow !== 0) continue
    keys[slot * 2] = high
    keys[slot * 2 + 1] = second
    return true
  }
}
