import { isId } from './search.ts'
import { createStore } from './store.ts'

/** What is open over the page: a new issue, perhaps about a report, a sent one, or all of one’s own. */
export type OpenIssue =
  | { kind: 'new'; report: number | null }
  | { kind: 'sent'; id: number }
  | { kind: 'all' }

export const openIssue = createStore<OpenIssue | null>(null)

/** Opens the form over the page, which stays as it is. */
export const reportIssue = (report: number | null = null) => openIssue.set({ kind: 'new', report })

/**
 * What the address of the overview opens over it, in e-mails and new tabs: `/?issue=3`, or `/?report=7` for a
 * new issue about that report. null: nothing.
 */
export function issueOf({ issue, report }: { issue?: unknown; report?: unknown }): OpenIssue | null {
  if (isId(issue)) return { kind: 'sent', id: issue }
  return isId(report) ? { kind: 'new', report } : null
}

/** Follows such a link where one is; false: it is one to another page. */
export function openOverPage(path: string): boolean {
  const { pathname, searchParams } = new URL(path, location.origin)
  const [issue, report] = [Number(searchParams.get('issue')), Number(searchParams.get('report'))]
  const opened = pathname === '/' ? issueOf({ issue, report }) : null
  if (opened) openIssue.set(opened)
  return opened !== null
}
