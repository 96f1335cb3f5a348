import { z } from 'zod'
import { MAIL_PEOPLE } from './mail-people.ts'

/** Some of the people, as they are stored: a bit for each number up to the highest, in base64. */
export const PeopleBits = z.codec(
  z.base64(),
  z.custom<Set<number>>(value => value instanceof Set),
  {
    decode: fromBits,
    encode: toBits,
  },
)

function toBits(people: ReadonlySet<number>): string {
  const bits = Buffer.alloc(Math.ceil(MAIL_PEOPLE / 8))
  let length = 0
  for (const person of people) {
    const at = person >> 3
    bits[at] = (bits[at] ?? 0) | (1 << (person & 7))
    length = Math.max(length, at + 1)
  }
  return bits.toString('base64', 0, length)
}

function fromBits(text: string): Set<number> {
  const people = new Set<number>()
  for (const [at, byte] of Buffer.from(text, 'base64').entries())
    for (let bit = 0; bit < 8; bit += 1) if (byte & (1 << bit)) people.add(at * 8 + bit)
  return people
}
