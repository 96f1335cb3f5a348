import { Button, Group } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { FormPopover, PopoverForm } from '#web/ui/form-popover.tsx'
import { InformationDialog } from '#web/ui/information-dialog.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { Part } from './part.tsx'
import { useWords } from './words.ts'

const popoverKinds = ['delete', 'update', 'move'] as const
type PopoverKind = (typeof popoverKinds)[number]

type DialogKind = 'confirm' | 'danger' | 'loading' | 'refused' | 'form' | 'information' | PopoverKind

/** How often an action was sent: a closing one sends nothing. */
export function Dialogs() {
  const say = useWords()
  const [current, setCurrent] = useState<DialogKind | null>(null)
  const [sent, setSent] = useState(0)
  const dialog = {
    onClose: () => setCurrent(null),
    send: () => setSent(count => count + 1),
  }
  return (
    <Part title={say('Dialogs and popovers', '對話框與彈出視窗')}>
      <output>{say(`Sent ${sent} times`, `已送出 ${sent} 次`)}</output>
      <Group gap="xs">
        <Button variant="default" onClick={() => setCurrent('confirm')}>
          {say('Question', '詢問')}
        </Button>
        <Button variant="default" onClick={() => setCurrent('danger')}>
          {say('Dangerous question', '危險操作')}
        </Button>
        <Button variant="default" onClick={() => setCurrent('loading')}>
          {say('Question, under way', '處理中')}
        </Button>
        <Button variant="default" onClick={() => setCurrent('refused')}>
          {say('Question, refused', '被拒絕')}
        </Button>
        <Button variant="default" onClick={() => setCurrent('form')}>
          {say('Form', '表單')}
        </Button>
        <Button variant="default" onClick={() => setCurrent('information')}>
          {say('Information', '更新資訊')}
        </Button>
      </Group>
      <Popovers current={current} onOpen={setCurrent} onSend={dialog.send} />
      <Confirmations current={current} onSend={dialog.send} onClose={dialog.onClose} />
    </Part>
  )
}

interface ConfirmationsProps {
  current: DialogKind | null
  onSend: () => void
  onClose: () => void
}

function Confirmations({ current, onSend, onClose }: ConfirmationsProps) {
  const say = useWords()
  const [name, setName] = useState('')
  const deletion = {
    title: say('Delete this report?', '要刪除這份報表嗎？'),
    detail: say('The spreadsheet is not touched.', '試算表不受影響。'),
    confirm: say('Delete', '刪除'),
    onConfirm: onSend,
    onClose,
  }
  return (
    <>
      <ConfirmDialog
        {...deletion}
        opened={current === 'confirm'}
        title={say('Copy this report?', '要複製這份報表嗎？')}
        confirm={say('Copy', '複製')}
      />
      <ConfirmDialog {...deletion} opened={current === 'danger'} tone="danger" />
      <ConfirmDialog {...deletion} opened={current === 'loading'} tone="danger" loading />
      <ConfirmDialog
        {...deletion}
        opened={current === 'refused'}
        tone="danger"
        problem={say('An error occurred.', '發生錯誤。')}
      />
      <FormDialog
        opened={current === 'form'}
        title={say('New sheet', '新增試算表')}
        submit={say('Create', '建立')}
        loading={false}
        onSubmit={onSend}
        onClose={onClose}
      >
        <TextField label={say('Name', '名稱')} value={name} onChange={setName} focusedFirst />
      </FormDialog>
      <InformationDialog
        opened={current === 'information'}
        severity="error"
        message={say('The folder name is duplicated.', '資料夾名稱重複。')}
        onClose={onClose}
      />
    </>
  )
}

interface PopoversProps {
  current: DialogKind | null
  onOpen: (current: DialogKind | null) => void
  onSend: () => void
}

function Popovers({ current, onOpen, onSend }: PopoversProps) {
  const say = useWords()
  const [name, setName] = useState(say('Spring', '春季'))
  const [to, setTo] = useState<string>('0')
  const [keep, setKeep] = useState(false)
  const forms: Record<PopoverKind, ReactNode> = {
    delete: (
      <PopoverForm
        title={say('Delete “Spring”?', '要刪除「春季」嗎？')}
        submit={say('Delete folder', '刪除資料夾')}
        tone="danger"
        loading={false}
        onSubmit={onSend}
      >
        <CheckboxField label={say('Keep the items', '保留項目')} checked={keep} onChange={setKeep} />
      </PopoverForm>
    ),
    update: (
      <PopoverForm
        title={say('Rename “Spring”', '重新命名「春季」')}
        submit={say('Rename', '重新命名')}
        loading={false}
        problem={say('The folder name is duplicated.', '資料夾名稱重複。')}
        onSubmit={onSend}
      >
        <TextField label={say('Folder name', '資料夾名稱')} value={name} onChange={setName} focusedFirst />
      </PopoverForm>
    ),
    move: (
      <PopoverForm
        title={say('Move “Spring”', '移動「春季」')}
        submit={say('Move', '移動')}
        loading
        onSubmit={onSend}
      >
        <SelectField
          label={say('Into', '移至')}
          value={to}
          onChange={setTo}
          options={[{ value: '0', label: say('Top level', '最上層') }]}
        />
      </PopoverForm>
    ),
  }
  const buttons: Record<PopoverKind, string> = {
    delete: say('Delete a folder', '刪除資料夾'),
    update: say('Update a folder', '更新資料夾'),
    move: say('Move a folder', '移動資料夾'),
  }
  return (
    <Group gap="xs">
      {popoverKinds.map(kind => (
        <FormPopover<HTMLButtonElement>
          key={kind}
          form={current === kind ? forms[kind] : null}
          onClose={() => onOpen(null)}
        >
          {anchor => (
            <Button ref={anchor} variant="default" onClick={() => onOpen(kind)}>
              {buttons[kind]}
            </Button>
          )}
        </FormPopover>
      ))}
    </Group>
  )
}
