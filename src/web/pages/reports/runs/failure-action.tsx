import { Button } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { mayDo } from '#shared/access.ts'
import type { Report } from '#shared/api/reports.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { failureActionOf, failureActions, pathOfFailureAction } from '#shared/failure-actions.ts'
import { openOverPage } from '#web/client/issues.ts'
import { useMe } from '#web/client/me.ts'
import { useLanguage } from '#web/i18n/use-translation.ts'

interface FailureActionProps {
  code: ErrorCode
  report: Pick<Report, 'id' | 'name' | 'access'>
  /** The channel that failed, counted from 0, and which one it is. */
  channel?: number
  of?: Channel
}

/** Leads to where this person can do something about a failure; nothing where running again is all. */
export function FailureAction({ code, report, channel, of }: FailureActionProps) {
  const { identity } = useMe()
  const language = useLanguage()
  const router = useRouter()
  const action = failureActionOf(code, { identity, may_change: mayDo(report.access, 'change') })
  const path = action && pathOfFailureAction(action, { report: report.id, channel, of })
  if (action === null || path === null) return null
  const text = failureActions[action][language]
  // Within the page on a plain click; a new tab stays possible.
  const follow = (event: MouseEvent) => {
    if (action === 'instructions' || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0)
      return
    event.preventDefault()
    if (!openOverPage(path)) void router.navigate({ href: path })
  }
  return (
    <Button
      component="a"
      href={path}
      size="xs"
      variant="default"
      {...(action === 'instructions' && { target: '_blank' })}
      aria-label={`${text}: ${report.name}`}
      onClick={follow}
    >
      {text}
    </Button>
  )
}
