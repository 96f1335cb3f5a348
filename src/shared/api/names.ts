import { z } from 'zod'
import { isPlain, isPlainText, isVisible } from '#shared/plain-text.ts'

/**
 * Names that people choose. Names are compared, sorted and shown beside other names, so nothing in them may
 * hide, reverse or break the text around them; and two that look the same are the same, however they were
 * typed (NFC).
 */
export const nameOrNothing = (most: number) =>
  z.string().normalize('NFC').trim().max(most).refine(isPlain, NOT_PLAIN)
export const name = (most: number) => nameOrNothing(most).min(1)

/** A name by which somebody signs in: what cannot be seen at all makes two people out of one. */
export const username = (most: number) => name(most).refine(isVisible, NOT_PLAIN)

/** Text of several lines. */
export const textOrNothing = (most: number) =>
  z.string().normalize('NFC').trim().max(most).refine(isPlainText, NOT_PLAIN)
export const text = (most: number) => textOrNothing(most).min(1)

const NOT_PLAIN = {
  error: 'has characters that cannot be seen',
  params: { code: 'field_characters' },
}
