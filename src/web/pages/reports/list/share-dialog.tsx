import { useState } from 'react'
import type { Report } from '#shared/api/reports.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { SegmentedField } from '#web/ui/segmented-field.tsx'
import styles from './dialogs.module.css'
import { useShares, useSharing, type Someone } from './people-data.ts'
import { PersonField } from './person-field.tsx'
import { useDialogAction, type ActionDialogProps } from './use-dialog-action.tsx'
import { ShareList } from './share-list.tsx'

type Access = 'viewer' | 'editor'

/** Lets somebody see a report or many: of one also with whom it is shared already. */
export function ShareDialog({ reports, ...props }: ActionDialogProps) {
  const [first] = reports
  if (!first) return null
  return reports.length === 1 ? (
    <ShareOne report={first} {...props} />
  ) : (
    <ShareMany reports={reports} {...props} />
  )
}

function ShareOne({ report, onClose }: Omit<ActionDialogProps, 'reports'> & { report: Report }) {
  const { t } = useTranslation('actions')
  const { t: tUi } = useTranslation('ui')
  const shares = useShares(report.id)
  const share = useSharing(report)
  const form = useShareForm()

  /** It stays open: one often shares with several people, and the list shows that it was done. */
  const submit = () =>
    form.send(({ person, access }) =>
      share.mutate(
        {
          action: { action: 'share', user: person.id, access },
          message: t('share.done', { count: 1, name: person.name }),
        },
        { onSuccess: form.clear },
      ),
    )

  const taken = [report.owner, ...(shares.data ?? []).map(({ user }) => user)]
  const isUnknown = share.error?.code === 'field_not_available'
  return (
    <FormDialog
      opened
      title={t('share.title', { name: report.name })}
      submit={t('share.submit')}
      close={tUi('close')}
      loading={share.isPending}
      problem={
        share.error && (
          <p className={styles.problem} role="alert">
            {isUnknown ? t('share.not_available') : <ProblemText code={share.error.code} />}
          </p>
        )
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <ShareFields form={form} except={taken} />
      <ShareList report={report} shares={shares} />
    </FormDialog>
  )
}

function ShareMany({ reports, onDone, onClose }: ActionDialogProps) {
  const { t } = useTranslation('actions')
  const bulk = useDialogAction(reports, onDone)
  const form = useShareForm()
  const submit = () =>
    form.send(
      ({ person, access }) =>
        void bulk.act({ action: 'share', user: person.id, access }, done =>
          t('share.done', { count: done, name: person.name }),
        ),
    )
  return (
    <FormDialog
      opened
      title={t('share.title_many', { count: reports.length })}
      submit={t('share.submit')}
      {...bulk.state}
      onSubmit={submit}
      onClose={onClose}
    >
      <ShareFields form={form} except={[]} />
    </FormDialog>
  )
}

/** Whom to share with, and their access; nothing is sent before somebody is chosen. */
function useShareForm() {
  const [person, setPerson] = useState<Someone | null>(null)
  const [access, setAccess] = useState<Access>('viewer')
  const [missing, setMissing] = useState(false)
  return {
    person,
    setPerson,
    access,
    setAccess,
    missing: missing && person === null,
    clear: () => {
      setPerson(null)
      setMissing(false)
    },
    send: (act: (grant: { person: Someone; access: Access }) => void) => {
      setMissing(true)
      if (person) act({ person, access })
    },
  }
}

function ShareFields({ form, except }: { form: ReturnType<typeof useShareForm>; except: readonly number[] }) {
  const { t } = useTranslation('actions')
  return (
    <>
      <PersonField
        value={form.person}
        onChange={form.setPerson}
        except={except}
        error={form.missing ? t('person.required') : null}
      />
      <SegmentedField
        label={t('share.access')}
        value={form.access}
        options={[
          { value: 'viewer', label: t('share.viewer') },
          { value: 'editor', label: t('share.editor') },
        ]}
        onChange={form.setAccess}
      />
      <ul className={styles.note}>
        <li>{t(`share.sees_${form.access}`)}</li>
        <li>{t('share.sees')}</li>
        <li>{t('share.sees_sheet')}</li>
      </ul>
    </>
  )
}
