import { ActionIcon } from '@mantine/core'
import { IconCheck, IconTrash, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { ExchangeRate } from '#shared/api/insight-settings.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { codeOf } from '#web/pages/insight-settings/data.ts'
import settings from '#web/pages/insight-settings/insight-settings.module.css'
import { useEscape } from '#web/ui/escape.ts'
import { monthText } from '#web/ui/month.ts'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useDeleteRate, useSaveRate } from './data.ts'
import { readRate } from './rate-grid.ts'
import styles from './rates.module.css'

interface RateFormProps {
  month: string
  currency: string
  /** null: there is none yet. */
  rate: ExchangeRate | null
  onClose: () => void
}

/** Enter saves, Escape leaves everything as it is. */
export function RateForm({ month, currency, rate, onClose }: RateFormProps) {
  const { t, language } = useTranslation('rates')
  const save = useSaveRate(rate)
  const remove = useDeleteRate()
  const [text, setText] = useState(rate?.rate ?? '')
  const [isProvisional, setIsProvisional] = useState(rate?.kind === 'provisional')
  const [tried, setTried] = useState(false)
  const typed = readRate(text)
  useEscape(true, onClose)
  const isBusy = save.isPending || remove.isPending
  function submit() {
    setTried(true)
    if (typed === null || isBusy) return
    const kind = isProvisional ? 'provisional' : 'final'
    save.mutate({ month, currency, rate: typed, kind }, { onSuccess: onClose })
  }
  const place = { month: monthText(month, language), currency }
  const problem = save.error ?? remove.error
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        submit()
      }}
    >
      <TextField
        aria-label={t('rate_of', place)}
        label={null}
        value={text}
        onChange={setText}
        maxLength={21}
        autoComplete="off"
        ref={field => field?.focus()}
        error={
          tried && typed === null
            ? t('not_a_rate')
            : problem && <ProblemText code={codeOf(problem)} audience="internal" />
        }
      />
      <label className={settings.check}>
        <input
          type="checkbox"
          checked={isProvisional}
          onChange={event => setIsProvisional(event.currentTarget.checked)}
        />
        {t('kind.provisional')}
      </label>
      <div className={styles.formActions}>
        <ActionIcon
          type="submit"
          variant="filled"
          color="accent"
          aria-label={t('save')}
          title={t('save')}
          loading={save.isPending}
        >
          <IconCheck size={16} stroke={2} />
        </ActionIcon>
        <ActionIcon aria-label={t('cancel')} title={t('cancel')} disabled={isBusy} onClick={onClose}>
          <IconX size={16} stroke={1.8} />
        </ActionIcon>
        {rate && (
          <ActionIcon
            c="var(--bad)"
            aria-label={t('delete_of', place)}
            title={t('delete')}
            loading={remove.isPending}
            onClick={() => remove.mutate(rate, { onSuccess: onClose })}
          >
            <IconTrash size={16} stroke={1.6} />
          </ActionIcon>
        )}
      </div>
    </form>
  )
}
