import { ActionIcon, Button, Menu } from '@mantine/core'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import { IconDownload, IconRefresh, IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { Sheet, SheetTab } from '#shared/api/sheets.ts'
import type { Cell } from '#shared/cell.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Freshness } from '#web/pages/reports/preview/freshness.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { useDownload, useReload } from './data.ts'
import { RangesMenu } from './ranges-menu.tsx'
import { ShareDialog } from './share-dialog.tsx'
import styles from './sheet.module.css'

interface SheetToolbarProps {
  sheet: Sheet
  tab: SheetTab
  active: Cell
  /** When a report wrote to it last; null: not since it was opened. */
  writtenAt: string | null
  onGo: (gid: number, cell: Cell) => void
}

/** The actions on a spreadsheet as a whole. */
export function SheetToolbar({ sheet, tab, active, writtenAt, onGo }: SheetToolbarProps) {
  const { t } = useTranslation('sheets')
  const [sharing, setSharing] = useState(false)
  const reload = useReload(sheet.id)
  const download = useDownload(sheet.id)
  return (
    <div className={styles.toolbar}>
      <h1 className={styles.title} title={sheet.title}>
        {sheet.title}
      </h1>
      <output className={styles.freshness}>
        {writtenAt && <Freshness key={writtenAt} at={writtenAt} />}
      </output>
      {download.error && <Problem code={download.error.code} />}
      <ActionIcon size="lg" aria-label={t('reload')} title={t('reload')} onClick={() => void reload()}>
        <IconRefresh size={18} stroke={1.6} />
      </ActionIcon>
      <RangesMenu sheet={sheet} tab={tab} active={active} onGo={onGo} />
      <CopyButton text={`${sheet.url}#gid=${tab.gid}`} label={t('copy_address')} />
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} />}
            loading={download.isPending}
          >
            {t('download')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => download.mutate({ format: 'xlsx' })}>{t('download_xlsx')}</Menu.Item>
          <Menu.Item onClick={() => download.mutate({ format: 'csv', gid: tab.gid })}>
            {t('download_csv', { tab: tab.title })}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {sheet.permissions && (
        <>
          <Button size="xs" leftSection={<IconUserPlus size={14} />} onClick={() => setSharing(true)}>
            {t('share')}
          </Button>
          <ShareDialog
            sheet={sheet}
            people={sheet.permissions}
            opened={sharing}
            onClose={() => setSharing(false)}
          />
        </>
      )}
    </div>
  )
}
