import { useLocation, useNavigate } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { issueOf, openIssue } from '#web/client/issues.ts'
import { useStore } from '#web/client/store.ts'
import { loadInnerTexts } from '#web/i18n/i18n.ts'
import { overviewSearch } from '#web/pages/overview/search.ts'
import { lazy } from '#web/visit/lazy.ts'

const IssueDialogs = lazy(async () => {
  const [{ innerPages }] = await Promise.all([import('./inner-pages.ts'), loadInnerTexts()])
  return { default: (await innerPages.issueDialogs()).IssueDialogs }
})

/** Where issues are reported and their answers read, over whatever page one is on. */
export function IssueArea() {
  const navigate = useNavigate()
  const opened = useStore(openIssue)
  const linked = useLocation({
    select: ({ pathname, search }) => (pathname === '/' ? issueOf(search) : null),
    structuralSharing: true,
  })
  useEffect(() => {
    if (linked) openIssue.set(linked)
  }, [linked])
  useEffect(() => () => openIssue.set(null), [])
  const close = () => {
    openIssue.set(null)
    if (linked) void navigate({ to: '/', search: current => overviewSearch({ ...current }), replace: true })
  }
  if (opened === null) return null
  return (
    <Suspense>
      <IssueDialogs opened={opened} onClose={close} />
    </Suspense>
  )
}
