import { Group } from '@mantine/core'
import { listText } from '#shared/language.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { TextAreaField } from '#web/ui/text-area-field.tsx'
import styles from './bulk.module.css'
import type { Pasted } from './pasted-rows.ts'

interface PasteFieldsProps {
  text: string
  onChange: (text: string) => void
  /** What was read of it. */
  pasted: Pasted
}

const headings = ['name', 'landing_url', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_content'] as const

/** Rows of a spreadsheet. */
export function PasteFields({ text, onChange, pasted }: PasteFieldsProps) {
  const { t, language } = useTranslation('links')
  const names = headings.map(field => t(`field.${field}`))
  return (
    <>
      <TextAreaField
        label={t('bulk.rows')}
        hint={t('bulk.paste_detail', { columns: listText(names, language) })}
        value={text}
        onChange={onChange}
        rows={6}
        spellCheck={false}
        placeholder={t('bulk.paste_placeholder')}
      />
      <Group gap="xs">
        <CopyButton text={names.join('\t')} label={t('bulk.copy_header')} />
        <span className={styles.hint}>{t('bulk.copy_header_detail')}</span>
      </Group>
      {pasted.hasNoHeader && <InlineAlert severity="error">{t('bulk.no_header')}</InlineAlert>}
      {pasted.unknown.length > 0 && (
        <InlineAlert severity="warning">
          {t('bulk.unknown_columns', { columns: listText(pasted.unknown, language) })}
        </InlineAlert>
      )}
    </>
  )
}
