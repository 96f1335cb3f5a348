import type { ErrorCode } from '#shared/errors.ts'
import { commonPasswords } from './common-passwords.ts'

/** Characters that a password has at least. */
const SHORTEST = 12

/** Why this may not be somebody's password; null when it may. */
export function whyNotPassword(password: string, username: string): ErrorCode | null {
  if ([...password].length < SHORTEST) return 'password_too_short'
  return isCommon(password, username) ? 'password_too_common' : null
}

function isCommon(password: string, username: string): boolean {
  const plain = password.toLowerCase()
  if (isRepetition(plain) || isRow(plain)) return true
  const core = coreOf(plain)
  return [core, undisguise(core), coreOf(undisguise(plain)), lettersOf(plain)].some(
    word => word === '' || commonPasswords.has(word) || word === coreOf(username.toLowerCase()),
  )
}

/** Without the digits and signs around it, and without blanks: `2024 Pass word!!` is `password`. */
const coreOf = (text: string) => text.replaceAll(/[\s._-]/g, '').replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')

/** 1q2w3e4r5t6y is qwerty. */
const lettersOf = (text: string) => text.replaceAll(/[^\p{L}]/gu, '')

const disguises: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}
const undisguise = (text: string) => text.replaceAll(/[013457@$!]/g, sign => disguises[sign] ?? sign)

/** abcabcabcabc, 121212121212, aaaaaaaaaaaa */
const isRepetition = (text: string) => /^(.{1,6})\1+.{0,5}$/.test(text) && new Set(text).size <= 6

/** Each character beside the last one, in one direction: 123456789012, abcdefghijkl */
function isRow(text: string): boolean {
  const codes = Array.from(text, character => character.codePointAt(0) ?? 0)
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] ?? 0)))
  const wraps = new Set([...steps].filter(step => Math.abs(step) !== 9))
  return wraps.size === 1 && [...wraps].every(step => Math.abs(step) === 1)
}
