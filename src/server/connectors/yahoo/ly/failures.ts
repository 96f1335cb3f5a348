import type { PlatformErrorCode, PlatformFailure } from '#server/connectors/connector.ts'
import {
  failureOf,
  final,
  renew,
  retry,
  type RefusalFacts,
  type Verdict,
} from '#server/connectors/kit/failures.ts'
import type { HttpResponse } from '#server/connectors/kit/http.ts'
import { lookup } from '#server/connectors/kit/lookup.ts'
import { redactedFacts } from '#server/connectors/kit/secrets.ts'
import { pauseAll } from '#server/connectors/yahoo/client.ts'
import type { LyIo, LyProblem } from '#server/connectors/yahoo/schema.ts'

/** By LY's codes of what is wrong; the first of them is the reason. */
export function classify(problems: readonly LyProblem[], response: HttpResponse): Verdict {
  const reason = problems[0]?.code
  const code = codeOf(problems)
  if (reason === '0110' || reason === '0111') return renew
  if (code === 'quota_exhausted') return pauseAll(response)
  // Maintenance (0099) takes hours.
  return reason === '0002' ? retry : final(code)
}

export function factsOf(
  problems: readonly LyProblem[],
  { io, token, request_id }: { io: LyIo; token: string; request_id: string | null },
): RefusalFacts {
  const [first] = problems
  const secrets = [token, io.login.client_secret, io.login.refresh_token]
  const words = problems.map(textOf).join('; ')
  return redactedFacts({ reason: first?.code ?? '', words, request_id }, secrets)
}

/** What an element of a response was refused for. */
export const refusedElement = (problems: readonly LyProblem[], io: LyIo): PlatformFailure =>
  failureOf(final(codeOf(problems)), factsOf(problems, { io, token: '', request_id: null }))

const textOf = ({ code, message, details }: LyProblem) =>
  [
    `[${code}] ${message ?? ''}`,
    ...(details ?? []).map(({ requestKey, requestValue }) => `${requestKey}=${requestValue}`),
  ].join(' ')

function codeOf(problems: readonly LyProblem[]): PlatformErrorCode {
  const about = problems.flatMap(({ details }) => details ?? []).map(({ requestKey }) => requestKey ?? '')
  for (const { code } of problems) {
    const known = lookup(byCode, code)
    if (known) return known
    if ((code === 'V0001' || code === 'RL001') && about.some(key => key.startsWith('dateRange')))
      return 'history_limit'
    if (code === 'RL001') return 'combination_not_allowed'
  }
  return 'platform_error'
}

const byCode: Readonly<Record<string, PlatformErrorCode>> = {
  '0002': 'platform_unavailable',
  // At status 403: a frequency, no matter of rights.
  '0003': 'quota_exhausted',
  '0098': 'account_access_lost',
  '0099': 'platform_unavailable',
  '0110': 'credential_expired',
  '0111': 'credential_expired',
  '0112': 'account_access_lost',
  '0113': 'account_access_lost',
  '0114': 'credential_expired',
  LT001: 'quota_exhausted',
}
