import { Popover } from '@mantine/core'
import '@mantine/core/styles/Popover.layer.css'
import { createContext, use, useId, useRef, type ReactNode, type RefObject } from 'react'
import { Anchor, OnceOpened } from '#web/ui/once-opened.tsx'

interface DeedPopoverProps<Anchored extends HTMLElement> {
  /** Left out (null): it is closed. */
  form: ReactNode
  onClose: () => void
  /** Where it stands: draws it with the ref. */
  children: (anchor: RefObject<Anchored | null>) => ReactNode
}

/** A small form beside what it is about. Closing it sends nothing. */
export function DeedPopover<Anchored extends HTMLElement>({
  form,
  children,
  onClose,
}: DeedPopoverProps<Anchored>) {
  const id = useId()
  const anchor = useRef<Anchored>(null)
  return (
    <>
      {children(anchor)}
      <OnceOpened opened={Boolean(form)}>
        {opened => (
          <Popover
            opened={opened}
            onChange={wanted => !wanted && onClose()}
            position="bottom-start"
            width={290}
            trapFocus
            withRoles={false}
          >
            <Popover.Target>
              <Anchor of={anchor} />
            </Popover.Target>
            <Popover.Dropdown role="dialog" aria-labelledby={id}>
              <TitleId value={id}>{form}</TitleId>
            </Popover.Dropdown>
          </Popover>
        )}
      </OnceOpened>
    </>
  )
}

const TitleId = createContext('')

/** What the question is called, by whoever reads it out as well. */
export const DeedTitle = ({ children }: { children: string }) => <strong id={use(TitleId)}>{children}</strong>
