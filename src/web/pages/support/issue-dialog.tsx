import type { Issue } from '#shared/api/support.ts'
import { LinkText } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { GuardedDialog } from '#web/ui/guarded-dialog.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { instantText } from '#web/ui/times.ts'
import { AdditionForm } from './addition-form.tsx'
import { AnswerForm } from './answer-form.tsx'
import { useIssue } from './data.ts'
import { IssueImage } from './issue-image.tsx'
import { issueBadges } from './issue-badges.ts'
import styles from './support.module.css'

interface IssueDialogProps {
  id: number
  /** The reader may answer it. */
  editor: boolean
  onClose: () => void
}

/** An issue with its state and the answer of support. */
export function IssueDialog({ id, editor, onClose }: IssueDialogProps) {
  const { t } = useTranslation('support')
  const { data: issue, error, refetch } = useIssue(id)
  return (
    <GuardedDialog opened title={t('issue', { id })} size={560} onClose={onClose}>
      {error ? (
        <Problem code={error.code} onRetry={() => void refetch()} />
      ) : !issue ? (
        <TableLoading rows={3} />
      ) : (
        <div className={styles.issue}>
          <IssueFacts issue={issue} />
          {editor ? <AnswerForm issue={issue} onDone={onClose} /> : <Answer issue={issue} />}
          {!editor && <AdditionForm issue={issue} />}
        </div>
      )}
    </GuardedDialog>
  )
}

function IssueFacts({ issue }: { issue: Issue }) {
  const { t, language } = useTranslation('support')
  return (
    <>
      <dl className={styles.facts}>
        <dt>{t('column.state')}</dt>
        <dd>
          <StatusBadge {...issueBadges[issue.status]} label={t(`state.${issue.status}`)} />
        </dd>
        <dt>{t('column.reporter')}</dt>
        <dd>{issue.reporter_name}</dd>
        <dt>{t('field.type')}</dt>
        <dd>{t(`type.${issue.report_type}`)}</dd>
        {issue.report && (
          <>
            <dt>{t('field.report')}</dt>
            <dd>
              <LinkText to="/gs-template/template" search={{ id: issue.report.id }}>
                {issue.report.name}
              </LinkText>
            </dd>
          </>
        )}
        <dt>{t('field.occurred_at')}</dt>
        <dd data-tabular>{instantText(issue.occurred_at, language)}</dd>
      </dl>
      <p className={styles.text}>{issue.description}</p>
      {issue.image && <IssueImage id={issue.id} image={issue.image} />}
      {issue.additions.map(({ text, created_at }) => (
        <section key={`${created_at} ${text}`}>
          <h3>{t('added_at', { time: instantText(created_at, language) })}</h3>
          <p className={styles.text}>{text}</p>
        </section>
      ))}
    </>
  )
}

function Answer({ issue }: { issue: Issue }) {
  const { t } = useTranslation('support')
  return (
    <>
      {issue.grants_history && <InlineAlert severity="success">{t('granted')}</InlineAlert>}
      {issue.answer === null ? (
        <p className={styles.quiet}>{t('no_answer')}</p>
      ) : (
        <section>
          <h3>{t('answer_by', { name: issue.answered_by_name ?? t('support_team') })}</h3>
          <p className={styles.text}>{issue.answer}</p>
        </section>
      )}
    </>
  )
}
