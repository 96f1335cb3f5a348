import { ActionIcon, Button } from '@mantine/core'
import { IconLink, IconX } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './businesses.module.css'

interface SelectionBarProps {
  count: number
  onClear: () => void
  onRelate: () => void
}

/** What can be done with the selected accounts at once. */
export function SelectionBar({ count, onClear, onRelate }: SelectionBarProps) {
  const { t } = useTranslation('businesses')
  if (count === 0) return null
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('selection.label')}>
      <ActionIcon onClick={onClear} aria-label={t('selection.clear')}>
        <IconX size={16} stroke={1.8} />
      </ActionIcon>
      <output className={styles.count}>{t('selection.count', { count })}</output>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconLink size={14} stroke={1.8} />}
        onClick={onRelate}
      >
        {t('relate.action')}
      </Button>
    </div>
  )
}
