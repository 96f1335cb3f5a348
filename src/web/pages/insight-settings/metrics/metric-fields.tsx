import { useRef } from 'react'
import type { CalculatedMetric } from '#shared/api/insight-settings.ts'
import { channelNames, type Channel } from '#shared/channels/catalogue.ts'
import { channelsOfFormula } from '#shared/formula-channels.ts'
import { formulaUnits } from '#shared/formula-units.ts'
import { listText } from '#shared/language.ts'
import type { Problem as Refused } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { fieldProblem } from '#web/pages/rows/field-problem.tsx'
import styles from '#web/pages/insight-settings/insight-settings.module.css'
import { AdvertiserPicker } from '#web/pages/pickers/pickers.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { SwitchField } from '#web/ui/switch-field.tsx'
import { TextAreaField } from '#web/ui/text-area-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { FormulaField, useInsert } from './formula-field.tsx'
import { FormulaText } from './formula-text.tsx'
import type { MetricDraft } from './metric-draft.ts'
import { faultOf } from './operands.ts'
import { Palette } from './palette.tsx'
import { TryPanel } from './try-panel.tsx'

interface MetricFieldsProps {
  draft: MetricDraft
  onChange: (draft: MetricDraft) => void
  /** Somebody has tried to send it: missing fields are marked. */
  tried: boolean
  problem: Refused | null
  /** The saved one; left out: it is new. */
  metric?: CalculatedMetric
}

export function MetricFields({ draft, onChange, tried, problem, metric }: MetricFieldsProps) {
  const { t } = useTranslation('insight')
  const put = (change: Partial<MetricDraft>) => onChange({ ...draft, ...change })
  return (
    <div className={styles.fields}>
      <div className={styles.pair}>
        {(['name', 'name_zh'] as const).map(field => (
          <TextField
            key={field}
            label={t(`field.${field}`)}
            value={draft[field]}
            onChange={text => put({ [field]: text })}
            maxLength={60}
            autoComplete="off"
            required
            focusedFirst={field === 'name'}
            error={fieldProblem(problem, field, tried && draft[field].trim() === '')}
          />
        ))}
      </div>
      <TextAreaField
        label={t('field.explanation')}
        value={draft.explanation}
        onChange={explanation => put({ explanation })}
        rows={2}
        maxLength={500}
        error={fieldProblem(problem, 'explanation')}
      />
      <FormulaPart draft={draft} put={put} tried={tried} problem={problem} />
      <SwitchField
        label={t('field.is_active')}
        hint={t('field.is_active_hint')}
        checked={draft.is_active}
        onChange={checked => put({ is_active: checked })}
      />
      {metric && metric.used_by > 0 && (
        <p className={styles.hint}>{t('used_by_detail', { count: metric.used_by })}</p>
      )}
    </div>
  )
}

type FormulaPartProps = Pick<MetricFieldsProps, 'draft' | 'tried' | 'problem'> & {
  put: (change: Partial<MetricDraft>) => void
}

/** The formula with what it can be made of, which channels offer it, and what comes of it. */
function FormulaPart({ draft, put, tried, problem }: FormulaPartProps) {
  const { t } = useTranslation('insight')
  const field = useRef<HTMLTextAreaElement>(null)
  const { formula, unit, decimals } = draft
  const isEmpty = formula.trim() === ''
  const fault = faultOf(formula, unit)
  const channels = channelsOfFormula(formula)
  const onChange = (text: string) => put({ formula: text })
  const insert = useInsert({ value: formula, onChange, field })
  return (
    <>
      <FormulaField
        value={formula}
        onChange={onChange}
        fault={isEmpty ? null : fault}
        error={fieldProblem(problem, 'formula', tried && isEmpty)}
        field={field}
      />
      {fault === null && <Offered formula={formula} channels={channels} />}
      <Palette onChoose={insert} />
      <div className={styles.pair}>
        <SelectField
          label={t('field.unit')}
          value={unit}
          options={formulaUnits.map(each => ({ value: each, label: t(`unit.${each}`) }))}
          onChange={chosen => put({ unit: chosen })}
          error={fieldProblem(problem, 'unit')}
        />
        <SelectField
          label={t('field.decimals')}
          value={String(decimals)}
          options={['0', '1', '2', '3', '4', '5', '6'].map(each => ({ value: each, label: each }))}
          onChange={chosen => put({ decimals: Number(chosen) })}
          error={fieldProblem(problem, 'decimals')}
        />
      </div>
      {fault === null && <TryPanel draft={draft} channels={channels} />}
    </>
  )
}

/** The names of its metrics, and where reports can have it. */
function Offered({ formula, channels }: { formula: string; channels: readonly Channel[] }) {
  const { t, language } = useTranslation('insight')
  return (
    <div className={styles.offered}>
      <FormulaText formula={formula} channels={channels} />
      <p className={styles.hint}>
        {t('offered', {
          channels: listText(
            channels.map(channel => channelNames[channel][language]),
            language,
          ),
        })}
      </p>
    </div>
  )
}

interface ScopeFieldProps {
  value: number | null
  onChange: (advertiser: number | null) => void
  mayBeAgency: boolean
  isMissing: boolean
  problem: Refused | null
}

/** Whose it is, which stays. */
export function ScopeField({ value, onChange, mayBeAgency, isMissing, problem }: ScopeFieldProps) {
  const { t } = useTranslation('insight')
  return (
    <AdvertiserPicker
      label={t('field.advertiser')}
      active
      value={value}
      onChange={onChange}
      {...(mayBeAgency ? { none: t('scope.agency') } : { placeholder: t('scope.choose'), required: true })}
      hint={t('scope.hint')}
      error={fieldProblem(problem, 'advertiser', isMissing)}
    />
  )
}
