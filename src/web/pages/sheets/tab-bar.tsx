import type { SheetTab } from '#shared/api/sheets.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './sheet.module.css'

interface TabBarProps {
  tabs: readonly SheetTab[]
  current: SheetTab
  onOpen: (gid: number) => void
}

/** The tabs below the grid. */
export function TabBar({ tabs, current, onOpen }: TabBarProps) {
  const { t } = useTranslation('sheets')
  return (
    <div className={styles.tabs} role="tablist" aria-label={t('tabs')}>
      {tabs.map(({ gid, title }) => (
        <button
          key={gid}
          type="button"
          role="tab"
          className={styles.tab}
          aria-selected={gid === current.gid}
          onClick={() => onOpen(gid)}
        >
          {title}
        </button>
      ))}
    </div>
  )
}
