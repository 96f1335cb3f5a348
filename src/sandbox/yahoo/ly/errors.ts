// How the LY Ads API refuses: the whole request with an HTTP status, the whole request at status 200, or one
// element.

export interface Detail {
  requestKey: string
  requestValue: string
}

export interface LyProblem {
  code: string
  message: string
  details: Detail[]
}

const MESSAGES = {
  '0001': 'Invalid Request.',
  '0002': 'An internal error has occurred.',
  '0003': 'Frequency limit exceeded. Please try your request again later.',
  '0004': 'URL not found.',
  '0005': 'Bad request.',
  '0098': 'Permission denied.',
  '0099': 'Out of service.',
  '0110': 'Authentication required.',
  '0111': 'Authentication failed.',
  '0112': 'Account not found.',
  '0113': 'Account deactivated.',
  '0114': 'Invalid scope.',
  '240003': 'The field cannot be used as a filter.',
  '240004': 'The date range cannot be set for the date range type.',
  D0001: 'Duplicate.',
  F0001: 'Invalid format.',
  I0001: 'Deactivated Id.',
  L0001: 'Lower list size.',
  L0002: 'Over list size.',
  LT001: 'Over limit.',
  R0001: 'Require.',
  RL001: 'Invalid relation.',
  S0001: 'Invalid Status.',
  V0001: 'Invalid value.',
} as const
export type LyCode = keyof typeof MESSAGES

export const problem = (code: LyCode, ...details: [string, unknown][]): LyProblem => ({
  code,
  message: MESSAGES[code],
  details: details.map(([requestKey, value]) => ({
    requestKey,
    requestValue: typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null'),
  })),
})

/** Ends a request as a whole; at status 200 when the request was read but is refused. */
export class LyRefusal extends Error {
  readonly status: number
  readonly problems: LyProblem[]

  constructor(status: number, ...problems: LyProblem[]) {
    super(problems.map(({ code }) => code).join(', '))
    this.status = status
    this.problems = problems
  }
}

export const refusal = (status: number, code: LyCode, ...details: [string, unknown][]) =>
  new LyRefusal(status, problem(code, ...details))
