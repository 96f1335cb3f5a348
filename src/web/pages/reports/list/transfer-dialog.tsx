import { useState } from 'react'
import { showToast } from '#web/client/toasts.ts'
import { asProblem, type Problem } from '#web/client/problem.ts'
import { useReload } from '#web/client/use-reload.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import styles from './dialogs.module.css'
import { transferReports, useMayReturn, type Someone } from './people-data.ts'
import { PersonField } from './person-field.tsx'
import type { ActionDialogProps } from './use-dialog-action.tsx'
import { useUndoToast } from './use-undo-toast.ts'

/** Makes somebody else the owner: a superuser's, for people who leave or change their clients. */
export function TransferDialog({ reports, onDone, onClose }: ActionDialogProps) {
  const { t } = useTranslation('actions')
  const reload = useReload('folders', 'reports')
  const tellUndoable = useUndoToast()
  const mayReturn = useMayReturn(reports)
  const [person, setPerson] = useState<Someone | null>(null)
  const [missing, setMissing] = useState(false)
  const [loading, setLoading] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const count = reports.length
  const [first] = reports
  const owners = Map.groupBy(reports, ({ owner }) => owner)

  async function submit() {
    setMissing(person === null)
    if (!person) return
    setLoading(true)
    setProblem(null)
    try {
      let handed = 0
      const back: (() => Promise<unknown>)[] = []
      for (const [owner, owned] of owners) {
        if (owner === person.id) continue
        const ids = owned.map(({ id }) => id)
        handed += (await transferReports(owner, { to: person.id, reports: ids })).reports
        back.push(() => transferReports(person.id, { to: owner, reports: ids, take_back: true }))
      }
      const message = t('transfer.done', { count: handed, name: person.name })
      if (mayReturn === true && handed > 0)
        tellUndoable(message, async () => {
          for (const handBack of back) await handBack()
        })
      else showToast({ severity: 'success', message })
      onDone()
    } catch (error) {
      setProblem(asProblem(error))
      setLoading(false)
    } finally {
      void reload()
    }
  }

  const isUnknown = problem?.fields.to?.includes('field_not_available')
  return (
    <FormDialog
      opened
      title={
        count === 1 && first ? t('transfer.title', { name: first.name }) : t('transfer.title_many', { count })
      }
      submit={t('transfer.submit')}
      loading={loading}
      // Whether it can be undone is shown before it is done.
      disabled={mayReturn === null}
      problem={
        problem && (
          <p className={styles.problem} role="alert">
            {isUnknown ? (
              t('transfer.not_available')
            ) : (
              <ProblemText code={problem.code} audience="internal" />
            )}
          </p>
        )
      }
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <PersonField
        value={person}
        onChange={setPerson}
        except={owners.size === 1 ? [...owners.keys()] : []}
        error={missing && person === null ? t('person.required') : null}
      />
      <p className={styles.note}>{t('transfer.detail')}</p>
      {mayReturn === false && (
        <p className={styles.note} role="note">
          {t('transfer.for_good')}
        </p>
      )}
    </FormDialog>
  )
}
