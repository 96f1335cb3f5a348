import type { ErrorCode } from '#shared/errors.ts'

/** Characters that a password has at least. */
const SHORTEST = 12

/** The guesses that come first. */
interface Guesses {
  /** Cores of the passwords that most people have. */
  common: ReadonlySet<string>
  /** Names of the person, and of the agency's clients. */
  names: readonly string[]
}

/** Why this may not be somebody's password; null when it may. */
export function whyNotPassword(password: string, guesses: Guesses): ErrorCode | null {
  if ([...password].length < SHORTEST) return 'password_too_short'
  return isGuessable(password, guesses) ? 'password_too_common' : null
}

function isGuessable(password: string, { common, names }: Guesses): boolean {
  const plain = password.toLowerCase()
  if (isRepetition(plain) || isRow(plain)) return true
  const cores = coresOf(password)
  const words = [PRODUCT, ...names.flatMap(coresOf)].filter(word => word.length >= LEAST_OF_NAME)
  // Twelve digits are a date or a telephone number; twenty are as good as other characters.
  if (cores.includes('') && [...password].length < LEAST_WITHOUT_LETTERS) return true
  return cores.some(core => core !== '' && (common.has(core) || isMadeOf(core, words)))
}

const LEAST_WITHOUT_LETTERS = 20
const PRODUCT = 'sheetcast'
/** Two letters are part of too many other words. */
const LEAST_OF_NAME = 3

/**
 * A password without its decorations: digits and signs around it, blanks, digits for letters, digits between
 * letters.
 */
export function coresOf(password: string): string[] {
  const plain = password.toLowerCase()
  const core = coreOf(plain)
  const cores = [core, undisguise(core), coreOf(undisguise(plain)), lettersOf(plain)]
  return [...new Set([...cores, ...cores.map(onlyOnce)])]
}

/** trustnoonetrustnoone is trustnoone. */
const onlyOnce = (text: string) => text.replace(/^(.{3,}?)\1+$/u, '$1')

/** annasheetcast, of anna and sheetcast */
function isMadeOf(text: string, words: readonly string[]): boolean {
  const inside = words.filter(word => text.includes(word))
  const ends = new Set([0])
  for (const end of ends)
    for (const word of inside) if (text.startsWith(word, end)) ends.add(end + word.length)
  return ends.has(text.length)
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

/** Each character next to the last one, in one direction: 123456789012, abcdefghijkl */
function isRow(text: string): boolean {
  const codes = Array.from(text, character => character.codePointAt(0) ?? 0)
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] ?? 0)))
  const wraps = new Set([...steps].filter(step => Math.abs(step) !== 9))
  return wraps.size === 1 && [...wraps].every(step => Math.abs(step) === 1)
}
