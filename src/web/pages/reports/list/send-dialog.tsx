import { useState } from 'react'
import { useMe } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import styles from './dialogs.module.css'
import type { Someone } from './people-data.ts'
import { PersonField } from './person-field.tsx'
import { useDialogAction, type ActionDialogProps } from './use-dialog-action.tsx'

/** Sends somebody a copy of a report, which is theirs from then on. */
export function SendDialog({ reports, onDone, onClose }: ActionDialogProps) {
  const { t } = useTranslation('actions')
  const me = useMe()
  const bulk = useDialogAction(reports, onDone)
  const [person, setPerson] = useState<Someone | null>(null)
  const [missing, setMissing] = useState(false)
  const [first] = reports
  const count = reports.length
  return (
    <FormDialog
      opened
      title={count === 1 && first ? t('send.title', { name: first.name }) : t('send.title_many', { count })}
      submit={t('send.submit')}
      {...bulk.state}
      onSubmit={() => {
        setMissing(person === null)
        if (person)
          void bulk.act({ action: 'copy', to_user: person.id }, done =>
            t('send.done', { count: done, name: person.name }),
          )
      }}
      onClose={onClose}
    >
      <PersonField
        value={person}
        onChange={setPerson}
        except={[me.user_id]}
        error={missing && person === null ? t('person.required') : null}
      />
      <p className={styles.note}>{t('send.detail')}</p>
    </FormDialog>
  )
}
