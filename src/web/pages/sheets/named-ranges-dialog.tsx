import { ActionIcon, Button, Stack } from '@mantine/core'
import { IconLock, IconX } from '@tabler/icons-react'
import { useState, type FormEvent } from 'react'
import type { Sheet, SheetTab } from '#shared/api/sheets.ts'
import { cellName, parseRect, rectName, type Cell } from '#shared/cell.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { SwitchField } from '#web/ui/switch-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useAddRange, useDeleteRange } from './data.ts'
import styles from './sheet.module.css'

interface NamedRangesDialogProps {
  sheet: Sheet
  tab: SheetTab
  active: Cell
  opened: boolean
  onClose: () => void
}

/** The named ranges of all tabs, and naming more cells of the open one. */
export function NamedRangesDialog({ sheet, tab, active, opened, onClose }: NamedRangesDialogProps) {
  const { t } = useTranslation('sheets')
  const { t: tUi } = useTranslation('ui')
  const remove = useDeleteRange(sheet.id)
  return (
    <Dialog opened={opened} onClose={onClose} title={t('named_ranges')} size={520}>
      <Stack gap="md">
        {sheet.named_ranges.length > 0 && (
          <ul className={styles.people} aria-label={t('named_ranges')}>
            {sheet.named_ranges.map(({ id, name, rect, is_protected }) => (
              <li key={id}>
                <span>
                  {name} {is_protected && <IconLock size={14} aria-label={t('protected_ranges')} />}
                </span>
                <small>{rectName(rect)}</small>
                <ActionIcon
                  size="sm"
                  aria-label={tUi('remove', { name })}
                  disabled={remove.isPending}
                  onClick={() => remove.mutate(id)}
                >
                  <IconX size={14} />
                </ActionIcon>
              </li>
            ))}
          </ul>
        )}
        {remove.error && <Problem code={remove.error.code} />}
        <RangeForm id={sheet.id} tab={tab} active={active} />
      </Stack>
    </Dialog>
  )
}

function RangeForm({ id, tab, active }: { id: string; tab: SheetTab; active: Cell }) {
  const { t } = useTranslation('sheets')
  const add = useAddRange(id)
  const [name, setName] = useState('')
  const [cells, setCells] = useState(cellName(active))
  const [locks, setLocks] = useState(false)
  const [tried, setTried] = useState(false)
  const rect = parseRect(cells)
  const isRefused = add.error?.fields.name !== undefined

  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (!name.trim() || rect === null) return
    add.mutate(
      { name: name.trim(), gid: tab.gid, rect, is_protected: locks },
      {
        onSuccess() {
          setName('')
          setTried(false)
        },
      },
    )
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextField
          label={t('range_name')}
          value={name}
          onChange={setName}
          maxLength={250}
          error={(isRefused || (tried && !name.trim())) && t('range_name_wrong')}
        />
        <TextField
          label={t('range_cells')}
          value={cells}
          onChange={setCells}
          maxLength={30}
          error={tried && rect === null && t('range_cells_wrong')}
        />
        <SwitchField
          label={t('range_protected')}
          hint={t('range_protected_hint')}
          checked={locks}
          onChange={setLocks}
        />
        {add.error && !isRefused && <Problem code={add.error.code} />}
        <Button type="submit" variant="default" loading={add.isPending}>
          {t('add_range')}
        </Button>
      </Stack>
    </form>
  )
}
