import { Button, Menu } from '@mantine/core'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import { IconBookmark, IconLock } from '@tabler/icons-react'
import type { Sheet } from '#shared/api/sheets.ts'
import { rectName, type Cell } from '#shared/cell.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'

/** The named and the protected ranges of all tabs; choosing one goes there. Hidden when there are none. */
export function RangesMenu({ sheet, onGo }: { sheet: Sheet; onGo: (gid: number, cell: Cell) => void }) {
  const { t } = useTranslation('sheets')
  const locked = sheet.tabs.flatMap(tab => tab.protected_ranges.map(range => ({ tab, range })))
  if (sheet.named_ranges.length + locked.length === 0) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconBookmark size={14} />}>
          {t('ranges')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {sheet.named_ranges.length > 0 && <Menu.Label>{t('named_ranges')}</Menu.Label>}
        {sheet.named_ranges.map(({ name, gid, rect }) => (
          <Menu.Item
            key={name}
            rightSection={rectName(rect)}
            onClick={() => onGo(gid, { row: rect[0], column: rect[1] })}
          >
            {name}
          </Menu.Item>
        ))}
        {locked.length > 0 && <Menu.Label>{t('protected_ranges')}</Menu.Label>}
        {locked.map(({ tab, range }) => (
          <Menu.Item
            key={`${tab.gid} ${rectName(range.rect)}`}
            leftSection={<IconLock size={14} />}
            rightSection={rectName(range.rect)}
            onClick={() => onGo(tab.gid, { row: range.rect[0], column: range.rect[1] })}
          >
            {range.description || tab.title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
