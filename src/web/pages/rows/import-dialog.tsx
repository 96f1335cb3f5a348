import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import type { ImportReply } from '#shared/api/customers.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { FileField } from '#web/ui/file-field.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { isErrorCode } from '#web/client/problem.ts'
import { useImport } from './data.ts'
import styles from './rows.module.css'

const MOST_BYTES = 1024 * 1024

interface ImportDialogProps {
  title: string
  /** The collection that the rows go to. */
  path: string
  /** The columns of the file. */
  columns: readonly string[]
  /** By what rows are recognised, as a sentence; left out: by their names. */
  matching?: string
  /** Rows have been written. */
  onDone?: () => void
  onClose: () => void
}

/** A list from a file: first what would become of its rows, then the same for good. */
export function ImportDialog({ title, path, columns, matching, onDone, onClose }: ImportDialogProps) {
  const { t } = useTranslation('imports')
  const { t: tUi } = useTranslation('ui')
  const [files, setFiles] = useState<readonly File[]>([])
  const trial = useImport(path)
  const real = useImport(path)
  const [file] = files
  const plan = trial.data
  const count = plan ? plan.create + plan.change : 0
  const isReady = plan !== undefined && plan.problems.length === 0 && count > 0
  function choose(chosen: readonly File[]) {
    setFiles(chosen)
    real.reset()
    trial.reset()
    if (chosen[0]) trial.mutate({ file: chosen[0], dry_run: true })
  }
  const send = () =>
    file &&
    real.mutate(
      { file, dry_run: false },
      {
        onSuccess: outcome => {
          // Somebody may have changed the list between the trial and this.
          if (outcome.problems.length > 0) return
          showToast({
            severity: 'success',
            message: t('done', { count: outcome.create + outcome.change }),
          })
          onDone?.()
          onClose()
        },
      },
    )
  const error = real.error ?? trial.error
  return (
    <Dialog opened onClose={onClose} title={title} size={620} loading={real.isPending}>
      <Stack gap="md">
        <p className={styles.hint}>
          {t('hint', { columns: columns.join(', '), matching: matching ?? t('by_name') })}
        </p>
        <FileField
          label={t('file')}
          value={files}
          onChange={choose}
          types={['text/csv']}
          most_bytes={MOST_BYTES}
          loading={trial.isPending || real.isPending}
        />
        {error && <Problem code={error.code} audience="internal" />}
        {plan && <ImportPlan plan={real.data ?? plan} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} disabled={real.isPending}>
            {tUi('cancel')}
          </Button>
          <Button disabled={!isReady} loading={real.isPending} onClick={send}>
            {isReady ? t('submit_rows', { count }) : t('submit')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

/** How many rows are new, differ and are there already, or what is wrong with which. */
export function ImportPlan({ plan }: { plan: ImportReply }) {
  const { t } = useTranslation('imports')
  if (plan.problems.length > 0) return <Problems problems={plan.problems} />
  if (plan.create + plan.change === 0)
    return <InlineAlert severity="info">{t('nothing', { count: plan.same })}</InlineAlert>
  return (
    <dl className={styles.counts} aria-live="polite">
      {(['create', 'change', 'same'] as const).map(kind => (
        <div key={kind}>
          <dt>{t(kind)}</dt>
          <dd>{plan[kind]}</dd>
        </div>
      ))}
    </dl>
  )
}

function Problems({ problems }: Pick<ImportReply, 'problems'>) {
  const { t } = useTranslation('imports')
  return (
    <>
      <InlineAlert severity="error" title={t('problems', { count: problems.length })}>
        {t('problems_detail')}
      </InlineAlert>
      {/* It scrolls, so the keyboard must come to it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles.problems} role="region" aria-label={t('problem_list')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('row')}</th>
              <th scope="col">{t('field')}</th>
              <th scope="col">{t('problem')}</th>
            </tr>
          </thead>
          <tbody>
            {problems.map(({ row, field, code }) => (
              <tr key={`${row} ${field} ${code}`}>
                <td data-tabular>{row}</td>
                <td>{field}</td>
                <td>{isErrorCode(code) && <ProblemText code={code} audience="internal" />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
