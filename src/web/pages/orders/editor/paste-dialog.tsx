import { useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { TextAreaField } from '#web/ui/text-area-field.tsx'
import type { LineDraft } from './draft.ts'
import styles from './editor.module.css'
import { pasteFields, readRows } from './paste.ts'

interface PasteDialogProps {
  /** What was pasted into the lines. */
  initial: string
  currency: string
  /** How many lines may be added. */
  room: number
  onAdd: (lines: readonly LineDraft[]) => void
  onClose: () => void
}

/** Lines out of a spreadsheet: how its columns are read is said before they are added. */
export function PasteDialog({ initial, currency, room, onAdd, onClose }: PasteDialogProps) {
  const { t } = useTranslation('quotation')
  const [text, setText] = useState(initial)
  const settled = useDeferredValue(text)
  const pasted = useMemo(() => readRows(settled, currency), [settled, currency])
  const { lines, hasHeader, ignored, unread } = pasted
  const isTooMany = lines.length > room
  return (
    <FormDialog
      opened
      title={t('paste.title')}
      submit={t('paste.submit', { count: lines.length })}
      loading={false}
      disabled={lines.length === 0 || isTooMany}
      onSubmit={() => onAdd(lines)}
      onClose={onClose}
    >
      <p className={styles.quiet}>{t('paste.detail')}</p>
      <ol className={styles.columns}>
        {pasteFields.map(field => (
          <li key={field}>{t(`field.${field}`)}</li>
        ))}
      </ol>
      <TextAreaField
        label={t('paste.rows')}
        placeholder={t('paste.placeholder')}
        value={text}
        onChange={setText}
        rows={8}
        spellCheck={false}
      />
      {lines.length > 0 && (
        <InlineAlert severity={isTooMany ? 'error' : unread > 0 ? 'warning' : 'success'}>
          <p className={styles.words}>
            {t('paste.read', { count: lines.length })}
            {'. '}
            {t(hasHeader ? 'paste.with_header' : 'paste.without_header')}
          </p>
          {ignored.length > 0 && (
            <p className={styles.words}>{t('paste.ignored', { names: ignored.join(', ') })}</p>
          )}
          {unread > 0 && <p className={styles.words}>{t('paste.unread', { count: unread })}</p>}
          {isTooMany && <p className={styles.words}>{t('paste.too_many', { count: room })}</p>}
        </InlineAlert>
      )}
    </FormDialog>
  )
}
