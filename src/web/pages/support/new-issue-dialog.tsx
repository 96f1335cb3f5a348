import { useState } from 'react'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { DateTimeField } from '#web/ui/date-time-field.tsx'
import { thisMinute } from '#web/ui/date-time-rules.ts'
import { FileField } from '#web/ui/file-field.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { SegmentedField } from '#web/ui/segmented-field.tsx'
import { TextAreaField } from '#web/ui/text-area-field.tsx'
import { useCreate } from './data.ts'
import { ReportField } from './report-field.tsx'

const types = ['auto_update_report', 'others'] as const

/** What happened, when, and with which report. */
export function NewIssueDialog({ report: named, onClose }: { report: number | null; onClose: () => void }) {
  const { t } = useTranslation('support')
  const create = useCreate()
  const [now] = useState(() => new Date())
  const [report_type, setType] = useState<(typeof types)[number]>('auto_update_report')
  const [report, setReport] = useState(named)
  const [occurred_at, setOccurred] = useState<string | null>(thisMinute(now))
  const [text, setText] = useState('')
  const [images, setImages] = useState<readonly File[]>([])
  const [tried, setTried] = useState(false)
  const description = text.trim()
  const isAboutReport = report_type === 'auto_update_report'

  function submit() {
    setTried(true)
    if (description === '' || occurred_at === null || (isAboutReport && report === null)) return
    create.mutate(
      {
        report_type,
        report: isAboutReport ? report : null,
        occurred_at,
        description,
        ...(images[0] && { image: images[0] }),
      },
      {
        onSuccess: ({ id }) => {
          showToast({ severity: 'success', message: t('new.done', { id }) })
          onClose()
        },
      },
    )
  }

  const errorOf = (field: string, is_empty: boolean) => {
    const code = create.error?.fields[field]?.[0] ?? (tried && is_empty ? 'field_required' : undefined)
    return code && <ProblemText code={code} />
  }
  const isAboutField = Object.keys(create.error?.fields ?? {}).length > 0

  return (
    <FormDialog
      opened
      title={t('new.title')}
      submit={t('new.submit')}
      loading={create.isPending}
      problem={create.error && !isAboutField && <Problem code={create.error.code} />}
      onSubmit={submit}
      onClose={onClose}
    >
      <SegmentedField
        label={t('field.type')}
        options={types.map(value => ({ value, label: t(`type.${value}`) }))}
        value={report_type}
        onChange={setType}
      />
      {isAboutReport && (
        <ReportField value={report} onChange={setReport} error={errorOf('report', report === null)} />
      )}
      <DateTimeField
        label={t('field.occurred_at')}
        value={occurred_at}
        onChange={setOccurred}
        now={now}
        timezone={Temporal.Now.timeZoneId()}
        error={errorOf('occurred_at', occurred_at === null)}
        required
      />
      <TextAreaField
        label={t('field.description')}
        hint={t('field.description_hint')}
        value={text}
        onChange={setText}
        rows={5}
        maxLength={5000}
        error={errorOf('description', description === '')}
        required
      />
      <FileField
        label={t('field.image')}
        hint={t('field.image_hint')}
        value={images}
        onChange={setImages}
        error={errorOf('image', false)}
        loading={create.isPending}
      />
    </FormDialog>
  )
}
