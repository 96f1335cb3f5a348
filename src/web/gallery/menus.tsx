import { Button, Group } from '@mantine/core'
import { IconCopy, IconLanguage, IconPencil, IconTrash } from '@tabler/icons-react'
import { ActionMenu } from '#web/ui/action-menu.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Initials } from '#web/ui/initials.tsx'
import { MenuButton, MenuEntry } from '#web/ui/menu-button.tsx'
import { Part } from './part.tsx'
import { nothing, useWords } from './words.ts'

export function Menus() {
  const say = useWords()
  return (
    <Part title={say('Buttons and menus', '按鈕與選單')}>
      <Group gap="xs">
        <Button>{say('Save', '儲存')}</Button>
        <Button variant="default">{say('Cancel', '取消')}</Button>
        <Button color="red">{say('Delete', '刪除')}</Button>
        <Button loading>{say('Saving', '儲存中')}</Button>
        <Button disabled>{say('Disabled', '停用')}</Button>
        <CopyButton text="sheetcast@example.iam.gserviceaccount.com" />
      </Group>
      <Group gap="xs">
        <ActionMenu
          label={say('Actions for Aurora', 'Aurora 的操作')}
          actions={[
            { key: 'edit', label: say('Edit', '編輯'), icon: IconPencil, onClick: nothing },
            { key: 'copy', label: say('Copy', '複製'), icon: IconCopy, onClick: nothing, disabled: true },
            {
              key: 'delete',
              label: say('Delete', '刪除'),
              icon: IconTrash,
              onClick: nothing,
              tone: 'danger',
            },
          ]}
        />
        <MenuButton label={say('A small menu', '小選單')} face={<IconLanguage size={18} stroke={1.6} />}>
          <MenuEntry checked onClick={nothing}>
            {say('One', '一')}
          </MenuEntry>
          <MenuEntry checked={false} onClick={nothing}>
            {say('Two', '二')}
          </MenuEntry>
        </MenuButton>
        <Initials name="Mika Chen" />
        <Initials name="王小明" />
      </Group>
    </Part>
  )
}
