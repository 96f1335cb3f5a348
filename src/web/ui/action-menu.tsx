import { ActionIcon, Menu } from '@mantine/core'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import { IconDots, type Icon } from '@tabler/icons-react'
import { useId, useRef, useState } from 'react'
import { Anchor, LazyOverlay } from './lazy-overlay.tsx'

export interface Action {
  key: string
  label: string
  icon: Icon
  onClick: () => void
  /** danger: the action destroys something; it is separated, at the end. */
  tone?: 'normal' | 'danger'
  disabled?: boolean
}

interface ActionMenuProps {
  /** What the button is called. */
  label: string
  actions: readonly Action[]
  size?: 'sm' | 'md'
  /** false: Tab skips it, since another key reaches it. */
  reachable?: boolean
}

/** Three dots that open the actions on the thing beside it. */
export function ActionMenu({ label, actions, size = 'md', reachable = true }: ActionMenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState(false)
  return (
    <>
      <ActionIcon
        ref={button}
        id={id}
        size={size}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={opened}
        {...(opened && { 'aria-controls': `${id}-dropdown`, 'data-expanded': true })}
        {...(!reachable && { tabIndex: -1 })}
        onClick={() => setOpened(!opened)}
      >
        <IconDots size={18} stroke={1.6} />
      </ActionIcon>
      <LazyOverlay opened={opened} opener={button} onEscape={() => setOpened(false)}>
        {isOpened => (
          <Menu id={id} opened={isOpened} onChange={setOpened} position="bottom-end" withinPortal>
            <Menu.Target>
              <Anchor of={button} />
            </Menu.Target>
            <Entries actions={actions} />
          </Menu>
        )}
      </LazyOverlay>
    </>
  )
}

function Entries({ actions }: Pick<ActionMenuProps, 'actions'>) {
  const normal = actions.filter(action => action.tone !== 'danger')
  const danger = actions.filter(action => action.tone === 'danger')
  return (
    <Menu.Dropdown>
      {normal.map(action => (
        <Entry key={action.key} action={action} />
      ))}
      {normal.length > 0 && danger.length > 0 && <Menu.Divider />}
      {danger.map(action => (
        <Entry key={action.key} action={action} />
      ))}
    </Menu.Dropdown>
  )
}

function Entry({ action: { label, icon: Glyph, onClick, tone, disabled = false } }: { action: Action }) {
  return (
    <Menu.Item
      leftSection={<Glyph size={16} stroke={1.6} aria-hidden />}
      disabled={disabled}
      {...(tone === 'danger' && { c: 'var(--bad)' })}
      onClick={onClick}
    >
      {label}
    </Menu.Item>
  )
}
