import type { Problem as Refused } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { fieldProblem } from '#web/pages/rows/field-problem.tsx'
import settings from '#web/pages/insight-settings/insight-settings.module.css'
import { AdvertiserPicker } from '#web/pages/pickers/pickers.tsx'
import { SwitchField } from '#web/ui/switch-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { overlapIn, type ConversionDraft } from './entries.ts'
import { EntriesField } from './entries-field.tsx'

interface ConversionFieldsProps {
  draft: ConversionDraft
  onChange: (draft: ConversionDraft) => void
  /** Somebody has tried to send it: missing fields are marked. */
  tried: boolean
  problem: Refused | null
  /** Its advertiser can still be chosen. */
  isNew?: boolean
}

export function ConversionFields({ draft, onChange, tried, problem, isNew = false }: ConversionFieldsProps) {
  const { t, language } = useTranslation('conversions')
  const put = (change: Partial<ConversionDraft>) => onChange({ ...draft, ...change })
  const { advertiser, entries } = draft
  const overlap = overlapIn(entries, language)
  const refused = problem ? Object.keys(problem.fields).find(field => field.startsWith('entries')) : undefined
  return (
    <div className={settings.fields}>
      <p className={settings.hint}>{t('meaning')}</p>
      {isNew && (
        <AdvertiserPicker
          label={t('field.advertiser')}
          active
          value={advertiser}
          // What was chosen is of the other one's accounts.
          onChange={chosen => put({ advertiser: chosen, entries: [] })}
          placeholder={t('choose_advertiser')}
          required
          error={fieldProblem(problem, 'advertiser', tried && advertiser === null)}
        />
      )}
      <div className={settings.pair}>
        {(['name', 'name_zh'] as const).map(field => (
          <TextField
            key={field}
            label={t(`field.${field}`)}
            value={draft[field]}
            onChange={text => put({ [field]: text })}
            maxLength={60}
            autoComplete="off"
            required
            focusedFirst={!isNew && field === 'name'}
            error={fieldProblem(problem, field, tried && draft[field].trim() === '')}
          />
        ))}
      </div>
      <SwitchField
        label={t('field.is_default')}
        hint={t('field.is_default_hint')}
        checked={draft.is_default}
        onChange={checked => put({ is_default: checked })}
      />
      {advertiser === null ? (
        <p className={settings.quiet}>{t('choose_advertiser_first')}</p>
      ) : (
        <EntriesField
          advertiser={advertiser}
          value={entries}
          onChange={next => put({ entries: next })}
          error={
            overlap
              ? t('overlap', overlap)
              : fieldProblem(problem, refused ?? 'entries', tried && entries.length === 0)
          }
        />
      )}
    </div>
  )
}
