import { useTranslation } from '#web/i18n/use-translation.ts'
import { TextField } from '#web/ui/text-field.tsx'
import type { CheckGroup } from './check-groups.ts'
import { CheckText } from './check-text.tsx'
import styles from './month.module.css'

interface WaiverFieldProps {
  group: CheckGroup
  value: string
  onChange: (reason: string | null) => void
}

const LONGEST = 200

/** Why an account is let through although something about it is not settled. */
export function WaiverField({ group, value, onChange }: WaiverFieldProps) {
  const { t } = useTranslation('closing')
  return (
    <div className={styles.waiver}>
      <p>
        <CheckText group={group} />
      </p>
      <TextField
        label={t('waive.reason', { account: group.check.account_name ?? '' })}
        placeholder={t('waive.placeholder')}
        maxLength={LONGEST}
        value={value}
        onChange={reason => onChange(reason === '' ? null : reason)}
      />
    </div>
  )
}
