import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { PaymentPart } from '#shared/billing/payment-schedule.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { DayField } from '#web/ui/day-field.tsx'
import { formatMoney } from '#web/ui/money.ts'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { RateInput } from '#web/ui/rate-input.tsx'
import { formatRate } from '#web/ui/rate.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { nextKey, type Draft, type PartDraft } from './draft.ts'
import styles from './editor.module.css'
import type { Faults } from './faults.ts'
import type { Change } from './use-draft.ts'

const MOST_PARTS = 12
const WHOLE = 10_000

const presets = { whole: [], halves: [5000, 5000], thirds: [3000, 4000, 3000] } as const

interface ScheduleProps {
  draft: Draft
  /** What each part amounts to; null while the shares are not all of it. */
  parts: readonly PaymentPart[] | null
  faults: Faults
  onChange: Change
}

/** In which parts the order is paid, and when. */
export function ScheduleFields({ draft, parts, faults, onChange }: ScheduleProps) {
  const { t, language } = useTranslation('quotation')
  const { schedule } = draft
  const left = WHOLE - sharesOf(schedule)
  const set = (next: readonly PartDraft[]) => onChange({ schedule: next })
  return (
    <Card title={t('schedule.title')}>
      {schedule.length === 0 ? (
        <p className={styles.quiet}>{t('schedule.whole')}</p>
      ) : (
        <ol className={styles.parts}>
          {schedule.map((part, index) => (
            <Part
              key={part.key}
              part={part}
              number={index + 1}
              amount={parts?.[index]?.amount ?? null}
              currency={draft.currency}
              faults={faults.parts.get(part.key)}
              onChange={patch => set(schedule.with(index, { ...part, ...patch }))}
              onRemove={() => set(schedule.toSpliced(index, 1))}
            />
          ))}
        </ol>
      )}
      <div className={styles.presets}>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={schedule.length >= MOST_PARTS}
          onClick={() => set([...schedule, partOf(Math.max(left, 0), daysAfter(schedule.length))])}
        >
          {t('schedule.add')}
        </Button>
        {(['whole', 'halves', 'thirds'] as const).map(preset => (
          <Button
            key={preset}
            size="xs"
            variant="subtle"
            onClick={() => set(presets[preset].map((share, index) => partOf(share, daysAfter(index))))}
          >
            {t(`schedule.preset.${preset}`)}
          </Button>
        ))}
        {schedule.length > 0 && left !== 0 && (
          <span className={styles.left} role="status">
            {t(left > 0 ? 'schedule.left' : 'schedule.over', { share: formatRate(Math.abs(left), language) })}
          </span>
        )}
        {faults.head.schedule !== undefined && (
          <span className={styles.refusal} role="alert">
            <ProblemText code={faults.head.schedule} />
          </span>
        )}
      </div>
    </Card>
  )
}

interface PartProps {
  part: PartDraft
  number: number
  amount: bigint | null
  currency: string
  faults: Faults['head'] | undefined
  onChange: (patch: Partial<PartDraft>) => void
  onRemove: () => void
}

function Part({ part, number, amount, currency, faults, onChange, onRemove }: PartProps) {
  const { t, language } = useTranslation('quotation')
  const nameOf = (field: 'share' | 'kind' | 'days' | 'day') =>
    t('schedule.cell', { number, field: t(`schedule.${field}`) })
  const faultOf = (field: string) => {
    const code = faults?.[field]
    return code && <ProblemText code={code} />
  }
  return (
    <li className={styles.part}>
      <RateInput
        aria-label={nameOf('share')}
        value={part.share}
        error={faultOf('share')}
        onChange={share => onChange({ share })}
      />
      <SelectField
        aria-label={nameOf('kind')}
        options={(['after', 'due_on'] as const).map(value => ({ value, label: t(`schedule.${value}`) }))}
        value={part.kind}
        onChange={kind => onChange({ kind })}
      />
      {part.kind === 'after' ? (
        <TextField
          label={null}
          aria-label={nameOf('days')}
          value={part.after}
          error={faultOf('after')}
          maxLength={3}
          onChange={after => onChange({ after: after.replaceAll(/\D/g, '') })}
        />
      ) : (
        <DayField
          label={null}
          aria-label={nameOf('day')}
          value={part.due_on}
          error={faultOf('due_on')}
          onChange={day => onChange({ due_on: day })}
        />
      )}
      <output className={styles.partAmount} data-tabular>
        {amount === null ? '–' : formatMoney(amount, currency, language)}
      </output>
      <ActionIcon size={34} aria-label={t('schedule.remove', { number })} onClick={onRemove}>
        <IconTrash size={16} stroke={1.7} />
      </ActionIcon>
    </li>
  )
}

const sharesOf = (schedule: readonly PartDraft[]) =>
  schedule.reduce((sum, { share }) => sum + (typeof share === 'number' ? share : 0), 0)

const partOf = (share: number, after: number): PartDraft => ({
  key: nextKey(),
  share,
  kind: 'after',
  after: String(after),
  due_on: '',
})

/** A month between parts. */
const daysAfter = (index: number) => index * 30
