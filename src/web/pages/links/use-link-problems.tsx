import { useMemo, type ReactNode } from 'react'
import type { LinkPreset } from '#shared/api/links.ts'
import { buildLink } from '#shared/links/build-link.ts'
import { applyPreset } from '#shared/links/presets.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { Problem } from '#web/client/problem.ts'
import { codeOf } from '#web/pages/rows/field-problem.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { filledIn, type LinkDraft } from './link-draft.ts'

interface LinkProblems {
  draft: LinkDraft
  preset: LinkPreset | null
  /** Another link comes of it: what is saved already is not judged by the rules of today. */
  isRemade: boolean
  /** Somebody has tried to save it: from then on what is wrong is marked. */
  tried: boolean
  /** What the server has refused. */
  refused: Problem | null
}

/** The link that a draft makes, and what is wrong with which field. */
export function useLinkProblems({ draft, preset, isRemade, tried, refused }: LinkProblems) {
  const built = useMemo(() => buildLink({ ...draft, extra: filledIn(draft.extra) }), [draft])
  const problems: Partial<Record<string, readonly ErrorCode[]>> = {
    ...(isRemade && { ...applyPreset(preset, draft).problems, ...built.problems }),
    ...(draft.advertiser === null && { advertiser: ['field_required'] }),
  }
  const errorOf = (path: string): ReactNode => {
    const sent = sentPath(path, draft)
    const code = (tried ? problems[sent]?.[0] : undefined) ?? codeOf(refused, sent)
    return code && <ProblemText code={code} audience="internal" />
  }
  return { built, isSound: Object.keys(problems).length === 0, errorOf }
}

/** Extra parameters are counted without those that were begun and left empty, which are not sent. */
function sentPath(path: string, { extra }: LinkDraft): string {
  const [, index = '', part = ''] = /^extra\.(\d+)\.(\w+)$/.exec(path) ?? []
  if (index === '') return path
  const until = extra.slice(0, Number(index) + 1)
  const isSent = filledIn(until.slice(-1)).length > 0
  return isSent ? `extra.${filledIn(until).length - 1}.${part}` : ''
}
