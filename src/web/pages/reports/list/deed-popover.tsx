import { Popover } from '@mantine/core'
import '@mantine/core/styles/Popover.layer.css'
import { createContext, use, useId, type ReactElement, type ReactNode } from 'react'

interface DeedPopoverProps {
  /** Left out (null): it is closed. */
  form: ReactNode
  onClose: () => void
  /** Where it stands. */
  children: ReactElement
}

/** A small form beside what it is about. Closing it sends nothing. */
export function DeedPopover({ form, children, onClose }: DeedPopoverProps) {
  const id = useId()
  return (
    <Popover
      opened={Boolean(form)}
      onChange={opened => !opened && onClose()}
      position="bottom-start"
      width={290}
      trapFocus
      withRoles={false}
    >
      <Popover.Target>{children}</Popover.Target>
      <Popover.Dropdown role="dialog" aria-labelledby={id}>
        <TitleId value={id}>{form}</TitleId>
      </Popover.Dropdown>
    </Popover>
  )
}

const TitleId = createContext('')

/** What the question is called, by whoever reads it out as well. */
export const DeedTitle = ({ children }: { children: string }) => <strong id={use(TitleId)}>{children}</strong>
