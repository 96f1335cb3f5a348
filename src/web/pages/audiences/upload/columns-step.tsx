import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from '#web/pages/audiences/audiences.module.css'
import { CountryField } from '#web/pages/audiences/country-field.tsx'
import { roles } from '#web/pages/audiences/hashing/file-format.ts'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { PreviewTable } from './preview-table.tsx'
import { hasIdentifier, withRole } from './upload-draft.ts'
import type { Upload } from './use-upload.ts'

/** What each column of the file is: proposed by headings and content. */
export function ColumnsStep({ upload: { draft, change } }: { upload: Upload }) {
  const { t } = useTranslation('audiences')
  const { preview, columns, has_headings, country } = draft
  if (!preview) return null
  return (
    <div className={styles.fields}>
      <CheckboxField
        label={t('upload.headings')}
        checked={has_headings}
        onChange={checked => change({ has_headings: checked })}
      />
      <PreviewTable
        preview={preview}
        isHeaded={has_headings}
        above={(at, name) => (
          <SelectField
            aria-label={t('upload.role_of', { column: name })}
            options={(['none', ...roles] as const).map(value => ({
              value,
              label: t(`upload.role.${value}`),
            }))}
            value={columns[at] ?? 'none'}
            onChange={role => change({ columns: withRole(columns, at, role === 'none' ? null : role) })}
          />
        )}
      />
      {columns.includes('consent') && <p className={styles.hint}>{t('upload.consent_hint')}</p>}
      {columns.includes('phone') && (
        <CountryField
          label={t('upload.country')}
          value={country}
          onChange={code => change({ country: code })}
        />
      )}
      {!hasIdentifier(columns) && <InlineAlert severity="warning">{t('upload.no_identifier')}</InlineAlert>}
    </div>
  )
}
