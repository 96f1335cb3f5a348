import type { Audience } from '#shared/api/audiences.ts'
import { uploadActions } from '#shared/audiences.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from '#web/pages/audiences/audiences.module.css'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextAreaField } from '#web/ui/text-area-field.tsx'
import type { Upload } from './use-upload.ts'

/** What the file does to the list, and how the people in it have consented; confirmed at each upload. */
export function BasisStep({ upload: { draft, change }, audience }: { upload: Upload; audience: Audience }) {
  const { t } = useTranslation('audiences')
  return (
    <div className={styles.fields}>
      {audience.rows > 0 && (
        <SelectField
          label={t('upload.action')}
          hint={t(`upload.action_hint.${draft.action}`)}
          options={uploadActions.map(value => ({ value, label: t(`upload.actions.${value}`) }))}
          value={draft.action}
          onChange={action => change({ action })}
        />
      )}
      <TextAreaField
        label={t('upload.basis')}
        hint={t('upload.basis_hint')}
        required
        rows={3}
        maxLength={500}
        value={draft.basis}
        onChange={basis => change({ basis })}
      />
      <CheckboxField
        label={t('upload.confirm')}
        checked={draft.isConfirmed}
        onChange={isConfirmed => change({ isConfirmed })}
      />
    </div>
  )
}
