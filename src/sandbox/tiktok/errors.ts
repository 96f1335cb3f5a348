/** A refusal: TikTok sends it with status 200 and a code. */
export class TikTokError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** What TikTok has and the sandbox does not: no answer of TikTok's. */
export class NotEmulated extends Error {}
export const notEmulated = (what: string) => new NotEmulated(`The sandbox does not emulate ${what}`)

/** 40002: a parameter, a value or a combination is wrong. */
export const invalid = (message: string) => new TikTokError(40002, message)

/** 40002 for a value that is none of a list. */
export const notOneOf = (name: string, wrong: readonly string[], right: Iterable<string>) =>
  invalid(`${name}: ${quoted(wrong)} is not supported, correct is ${quoted([...right])}`)

const quoted = (words: readonly string[]) => `[${words.map(word => `'${word}'`).join(',')}]`

export const noPermission = (id: string) =>
  new TikTokError(40001, `No permission to operate advertiser ${id}.`)

export const notReady = () => new TikTokError(40201, 'The task is not ready, please try again later.')

const RATES = {
  second: 'Requests made too frequently: the app has reached its QPS limit. Please try again in a second.',
  minute: 'Requests made too frequently: the app has reached its QPM limit. Please try again in 5 minutes.',
  day: 'Requests made too frequently: the app has reached its daily limit. Please try again after 00:00 UTC.',
  advertiser:
    'Requests made too frequently: the advertiser has reached the QPS limit of this path. Please try again later.',
} as const
export type Window = keyof typeof RATES

export const tooFast = (window: Window, code: number = window === 'advertiser' ? 40133 : 40100) =>
  new TikTokError(code, RATES[window])
