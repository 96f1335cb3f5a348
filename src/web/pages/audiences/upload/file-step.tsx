import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from '#web/pages/audiences/audiences.module.css'
import { encodings, delimiters, type Delimiter } from '#web/pages/audiences/hashing/file-format.ts'
import { FileField } from '#web/ui/file-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { PreviewTable } from './preview-table.tsx'
import type { Upload } from './use-upload.ts'

const MOST_BYTES = 1024 ** 3

const delimiterNames: Record<Delimiter, 'comma' | 'tab' | 'semicolon' | 'bar'> = {
  ',': 'comma',
  '\t': 'tab',
  ';': 'semicolon',
  '|': 'bar',
}

/** The file, and how its bytes are read: as it seems, unless somebody knows better. */
export function FileStep({ upload: { draft, choose } }: { upload: Upload }) {
  const { t } = useTranslation('audiences')
  const { file, preview } = draft
  return (
    <div className={styles.fields}>
      <FileField
        label={t('upload.file')}
        hint={t('upload.file_hint')}
        required
        types={['text/csv', 'text/plain', 'text/tab-separated-values']}
        most_bytes={MOST_BYTES}
        value={file ? [file] : []}
        onChange={([chosen]) => void choose(chosen ?? null)}
      />
      {preview && (
        <>
          <div className={styles.pair}>
            <SelectField
              label={t('upload.encoding')}
              options={encodings.map(value => ({ value, label: t(`upload.encodings.${value}`) }))}
              value={preview.format.encoding}
              onChange={encoding => void choose(file, { ...preview.format, encoding })}
            />
            <SelectField
              label={t('upload.delimiter')}
              options={delimiters.map(value => ({
                value,
                label: t(`upload.delimiters.${delimiterNames[value]}`),
              }))}
              value={preview.format.delimiter}
              onChange={delimiter => void choose(file, { ...preview.format, delimiter })}
            />
          </div>
          <PreviewTable preview={preview} isHeaded={draft.has_headings} />
        </>
      )}
    </div>
  )
}
