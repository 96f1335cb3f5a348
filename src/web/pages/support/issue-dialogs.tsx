import { openIssue, type OpenIssue } from '#web/client/issues.ts'
import { IssueDialog } from './issue-dialog.tsx'
import { NewIssueDialog } from './new-issue-dialog.tsx'
import { OwnIssuesDialog } from './own-issues-dialog.tsx'

/** The dialogs about one's own issues, over any page. */
export function IssueDialogs({ opened, onClose }: { opened: OpenIssue; onClose: () => void }) {
  switch (opened.kind) {
    case 'new':
      // Another report is another issue.
      return <NewIssueDialog key={opened.report} report={opened.report} onClose={onClose} />
    case 'sent':
      return <IssueDialog key={opened.id} id={opened.id} editor={false} onClose={onClose} />
    default:
      return <OwnIssuesDialog onOpen={openIssue.set} onClose={onClose} />
  }
}
