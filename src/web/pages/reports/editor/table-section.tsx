import { languages, type Language } from '#shared/language.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { SegmentedField } from '#web/ui/segmented-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { SwitchField } from '#web/ui/switch-field.tsx'
import styles from './editor.module.css'
import { Section } from './section.tsx'
import type { Editor } from './use-editor.ts'

/** Each language in its own words. */
const languageNames: Record<Language, string> = { en: 'English', 'zh-TW': '繁體中文' }

/** How the table is laid out. */
export function TableSection({ editor }: { editor: Editor }) {
  const { t } = useTranslation('editor')
  const { draft, change, may_change } = editor
  return (
    <Section name="table">
      {draft.channels.length > 1 && (
        <SegmentedField
          label={t('table.arrangement')}
          value={draft.arrangement}
          options={[
            { value: 'joined', label: t('table.joined') },
            { value: 'stacked', label: t('table.stacked') },
          ]}
          hint={t(`table.${draft.arrangement}_hint`)}
          onChange={arrangement => change({ arrangement })}
          disabled={!may_change}
        />
      )}
      <div className={styles.pair}>
        <SwitchField
          label={t('table.fill_zero')}
          hint={t('table.fill_zero_hint')}
          checked={draft.fill_zero}
          onChange={fill_zero => change({ fill_zero })}
          disabled={!may_change}
        />
        <SelectField
          label={t('table.header_language')}
          value={draft.header_language}
          options={languages.map(language => ({ value: language, label: languageNames[language] }))}
          onChange={header_language => change({ header_language })}
          disabled={!may_change}
        />
      </div>
    </Section>
  )
}
