import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '#web/app/notices.ts'
import { asProblem, type Problem } from '#web/app/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import styles from './dialogs.module.css'
import { transferReports, type Someone } from './people-data.ts'
import { PersonField } from './person-field.tsx'
import type { DeedDialogProps } from './use-dialog-deed.tsx'

/** Makes somebody else the owner: a superuser's, for people who leave or change their clients. */
export function TransferDialog({ reports, onDone, onClose }: DeedDialogProps) {
  const { t } = useTranslation('deeds')
  const queries = useQueryClient()
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
      for (const [owner, owned] of owners) {
        if (owner === person.id) continue
        const answer = await transferReports(owner, { to: person.id, reports: owned.map(({ id }) => id) })
        handed += answer.reports
      }
      notify({ severity: 'success', message: t('transfer.done', { count: handed, name: person.name }) })
      onDone()
    } catch (error) {
      setProblem(asProblem(error))
      setLoading(false)
    } finally {
      for (const queryKey of [['folders'], ['reports']]) void queries.invalidateQueries({ queryKey })
    }
  }

  const strange = problem?.fields.to?.includes('field_not_available')
  return (
    <FormDialog
      opened
      title={
        count === 1 && first ? t('transfer.title', { name: first.name }) : t('transfer.title_many', { count })
      }
      submit={t('transfer.submit')}
      loading={loading}
      problem={
        problem && (
          <p className={styles.problem} role="alert">
            {strange ? t('transfer.not_available') : <ProblemText code={problem.code} audience="internal" />}
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
    </FormDialog>
  )
}
