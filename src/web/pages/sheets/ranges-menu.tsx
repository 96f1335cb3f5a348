import { Button, Menu } from '@mantine/core'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import { IconBookmark, IconLock } from '@tabler/icons-react'
import { useState } from 'react'
import type { Sheet, SheetTab } from '#shared/api/sheets.ts'
import { cellName, rectName, type Cell } from '#shared/cell.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { NamedRangesDialog } from './named-ranges-dialog.tsx'

interface RangesMenuProps {
  sheet: Sheet
  tab: SheetTab
  active: Cell
  onGo: (gid: number, cell: Cell) => void
}

/** The named and the protected ranges of all tabs; choosing one goes there. Hidden when there are none. */
export function RangesMenu({ sheet, tab, active, onGo }: RangesMenuProps) {
  const { t } = useTranslation('sheets')
  const locked = sheet.tabs.flatMap(of => of.protected_ranges.map(range => ({ of, range })))
  const [editing, setEditing] = useState(false)
  const mayEdit = sheet.role === 'owner' || sheet.role === 'writer'
  if (sheet.named_ranges.length + locked.length === 0 && !mayEdit) return null
  return (
    <>
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
          {locked.map(({ of, range }) => (
            <Menu.Item
              key={`${of.gid} ${rectName(range.rect)}`}
              leftSection={<IconLock size={14} />}
              rightSection={rectName(range.rect)}
              onClick={() => onGo(of.gid, { row: range.rect[0], column: range.rect[1] })}
            >
              {range.description || of.title}
            </Menu.Item>
          ))}
          {mayEdit && <Menu.Item onClick={() => setEditing(true)}>{t('edit_ranges')}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      <NamedRangesDialog
        key={`${tab.gid} ${cellName(active)}`}
        sheet={sheet}
        tab={tab}
        active={active}
        opened={editing}
        onClose={() => setEditing(false)}
      />
    </>
  )
}
