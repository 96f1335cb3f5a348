import { randomInt } from 'node:crypto'

/**
 * A set of 64-bit keys, such as the beginnings of hashes: 5,000,000 of them are 64 MB, where a Set of texts
 * would be a gigabyte.
 */
export class KeySet {
  readonly #slots: Uint32Array
  readonly #mask: number
  /** How many slots have been looked at: few for each key, whatever the keys are. */
  probes = 0
  // What calls itself a hash is whatever somebody has sent: where a key belongs must not be foreseeable, or
  // all keys of an upload could be made to meet in one place.
  readonly #seed_high = randomInt(2 ** 32)
  readonly #seed_low = randomInt(2 ** 32)

  /** At most so many keys will be added. */
  constructor(most: number) {
    const slots = 2 ** Math.ceil(Math.log2(Math.max(16, most * 1.5)))
    this.#slots = new Uint32Array(slots * 2)
    this.#mask = slots - 1
  }

  /** Whether it is new. The key is the eight bytes there. */
  add(bytes: Uint8Array, at: number): boolean {
    const [high, low] = [wordAt(bytes, at), lowWordAt(bytes, at)]
    const slot = this.#find(high, low)
    if (this.#slots[slot + 1] !== 0) return false
    this.#slots[slot] = high
    this.#slots[slot + 1] = low
    return true
  }

  has(bytes: Uint8Array, at: number): boolean {
    return this.#slots[this.#find(wordAt(bytes, at), lowWordAt(bytes, at)) + 1] !== 0
  }

  /** Where it is, or would be. */
  #find(high: number, low: number): number {
    const first = mixed(mixed(low ^ this.#seed_low) ^ high ^ this.#seed_high)
    for (let slot = first & this.#mask; ; slot = (slot + 1) & this.#mask) {
      this.probes += 1
      const at = slot * 2
      const found = this.#slots[at + 1]
      if (found === 0 || (found === low && this.#slots[at] === high)) return at
    }
  }
}

export const KEY_BYTES = 8

function wordAt(bytes: Uint8Array, at: number): number {
  const [one = 0, two = 0, three = 0, four = 0] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]
  return ((one << 24) | (two << 16) | (three << 8) | four) >>> 0
}

/** Every bit depends on every other one (the last steps of MurmurHash3). */
function mixed(word: number): number {
  let bits = word
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return bits ^ (bits >>> 16)
}

/** 0 marks an empty slot. */
const lowWordAt = (bytes: Uint8Array, at: number) => wordAt(bytes, at + 4) || 1
