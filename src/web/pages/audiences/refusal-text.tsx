import type { Channel } from '#shared/channels/catalogue.ts'
import { useIsInternal } from '#web/client/me.ts'
import { isErrorCode } from '#web/client/problem.ts'
import { ProblemText } from '#web/ui/problem-text.tsx'

interface RefusalTextProps {
  /** Of ours; any other text counts as an error of the platform. */
  code: string
  channel?: Channel
}

/** What a code says to the person who is signed in: clients use these pages too. */
export function RefusalText({ code, channel }: RefusalTextProps) {
  const isInternal = useIsInternal()
  const known = code === 'unreachable' || code === 'unreadable' || isErrorCode(code) ? code : 'platform_error'
  return (
    <ProblemText code={known} audience={isInternal ? 'internal' : 'external'} {...(channel && { channel })} />
  )
}
