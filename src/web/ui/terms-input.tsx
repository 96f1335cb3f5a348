import { Input } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { PaymentTerms } from '#shared/api/money.ts'
import type { money } from '#web/i18n/en/money.ts'
import type { Translate } from '#web/i18n/translate.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { SelectField } from './select-field.tsx'
import { TextField } from './text-field.tsx'
import styles from './terms-input.module.css'

/** Terms, or a number of days that none can have. */
export type TypedTerms = PaymentTerms | 'invalid'

interface TermsInputProps {
  label: string
  value: TypedTerms
  onChange: (value: TypedTerms) => void
  error?: ReactNode
  disabled?: boolean
}

const MOST_DAYS = 180
const kinds = ['days', 'month_end'] as const

/** When a document is due: so many days after its issue, or after the last day of that month. */
export function TermsInput({ label, value, onChange, error, disabled = false }: TermsInputProps) {
  const { t } = useTranslation('money')
  const [kind, setKind] = useState(value === 'invalid' ? kinds[0] : value.kind)
  const [text, setText] = useState(value === 'invalid' ? '' : String(value.days))
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    if (value !== 'invalid' && (value.kind !== kind || value.days !== daysOf(text))) {
      setKind(value.kind)
      setText(String(value.days))
    }
  }
  function change(next: { kind?: PaymentTerms['kind']; text?: string }) {
    const chosen = next.kind ?? kind
    const typed = next.text ?? text
    setKind(chosen)
    setText(typed)
    const days = daysOf(typed)
    onChange(days === null ? 'invalid' : { kind: chosen, days })
  }
  const problem = daysOf(text) === null ? t('terms.days_range', { most: MOST_DAYS }) : error
  return (
    <Input.Wrapper labelElement="div" label={label} {...(problem && { error: problem })}>
      <div className={styles.fields}>
        <SelectField
          aria-label={t('terms.from')}
          value={kind}
          options={kinds.map(each => ({ value: each, label: t(`terms.${each}`) }))}
          onChange={chosen => change({ kind: chosen })}
          disabled={disabled}
        />
        <TextField
          label={null}
          aria-label={t('terms.number')}
          value={text}
          onChange={typed => change({ text: typed })}
          maxLength={3}
          error={Boolean(problem)}
          disabled={disabled}
          rightSection={<span className={styles.unit}>{t('terms.unit')}</span>}
        />
      </div>
    </Input.Wrapper>
  )
}

/** "30 days after issue", "月結 30 天" */
export const termsText = (t: Translate<typeof money>, { kind, days }: PaymentTerms): string =>
  t(days === 0 ? `terms.${kind}_0` : `terms.${kind}_text`, { count: days })

function daysOf(text: string): number | null {
  const plain = text.normalize('NFKC').trim()
  const days = /^\d{1,3}$/.test(plain) ? Number(plain) : MOST_DAYS + 1
  return days > MOST_DAYS ? null : days
}
