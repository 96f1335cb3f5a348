import { Button, Group, Popover } from '@mantine/core'
import '@mantine/core/styles/Popover.layer.css'
import { createContext, use, useEffect, useId, useRef, useState, type ReactNode, type RefObject } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './form-popover.module.css'
import { Anchor, LazyOverlay } from './lazy-overlay.tsx'

interface FormPopoverProps<Anchored extends HTMLElement> {
  /** A `PopoverForm`; null: it is closed. */
  form: ReactNode
  onClose: () => void
  /** What it is about and hangs from: draws it with the ref. */
  children: (anchor: RefObject<Anchored | null>) => ReactNode
}

/**
 * A small form beside what it is about. Closing it in any way sends nothing; while the request is under way
 * it stays open.
 */
export function FormPopover<Anchored extends HTMLElement>(props: FormPopoverProps<Anchored>) {
  const { form, children, onClose } = props
  const id = useId()
  const anchor = useRef<Anchored>(null)
  const dropdown = useRef<HTMLDivElement>(null)
  const [isSending, setIsSending] = useState(false)
  const close = () => {
    if (!isSending) onClose()
  }
  return (
    <>
      {children(anchor)}
      <LazyOverlay opened={Boolean(form)} opener={anchor} onEscape={close}>
        {opened => (
          <Popover
            opened={opened}
            onChange={next => !next && close()}
            position="bottom-start"
            width={290}
            trapFocus
            returnFocus
            withRoles={false}
            // Of a select in it, Escape closes the list alone.
            closeOnEscape={false}
            onEnterTransitionEnd={() => takeFocus(dropdown.current)}
          >
            <Popover.Target>
              <Anchor of={anchor} />
            </Popover.Target>
            <Popover.Dropdown ref={dropdown} role="dialog" aria-labelledby={id}>
              <Frame value={{ titleId: id, setIsSending, close }}>{form}</Frame>
            </Popover.Dropdown>
          </Popover>
        )}
      </LazyOverlay>
    </>
  )
}

/**
 * The menu that it was chosen from may have given the focus back to its button after the popover had taken
 * it.
 */
function takeFocus(dropdown: HTMLElement | null) {
  if (dropdown?.contains(document.activeElement)) return
  const first = dropdown?.querySelector<HTMLElement>('[data-autofocus]') ?? dropdown?.querySelector('input')
  first?.focus({ preventScroll: true })
}

interface FrameValue {
  titleId: string
  /** Whether the request is under way. */
  setIsSending: (isSending: boolean) => void
  close: () => void
}
const Frame = createContext<FrameValue | null>(null)

interface PopoverFormProps {
  title: string
  /** What the button says; a verb. */
  submit: string
  /** danger: the action destroys something, so that Enter cancels at first. */
  tone?: 'normal' | 'danger'
  /** The request is under way: it stays open and cannot be sent twice. */
  loading: boolean
  /** Why it was refused. */
  problem?: ReactNode
  children: ReactNode
  onSubmit: () => void
}

/** The form inside of a `FormPopover`. */
export function PopoverForm({ title, submit, tone = 'normal', loading, ...props }: PopoverFormProps) {
  const { t } = useTranslation('ui')
  const frame = use(Frame)
  if (frame === null) throw new Error('outside of a FormPopover')
  const { setIsSending, titleId, close } = frame
  useEffect(() => {
    setIsSending(loading)
    return () => setIsSending(false)
  }, [setIsSending, loading])
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={event => {
        event.preventDefault()
        // It is drawn as a part of what opened it, which may be a form of its own.
        event.stopPropagation()
        if (!loading) props.onSubmit()
      }}
    >
      <strong id={titleId}>{title}</strong>
      {props.children}
      {props.problem && (
        <p className={styles.problem} role="alert">
          {props.problem}
        </p>
      )}
      <Group justify="flex-end" gap="xs">
        <Button
          size="xs"
          variant="default"
          onClick={close}
          disabled={loading}
          data-autofocus={tone === 'danger' || undefined}
        >
          {t('cancel')}
        </Button>
        <Button size="xs" type="submit" loading={loading} {...(tone === 'danger' && { color: 'red' })}>
          {submit}
        </Button>
      </Group>
    </form>
  )
}
