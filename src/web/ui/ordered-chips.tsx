import { IconGripVertical, IconX } from '@tabler/icons-react'
import { useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './ordered-chips.module.css'

interface OrderedChipsProps<Value extends string> {
  /** What the list is called. */
  label: string
  value: readonly Value[]
  nameOf: (value: Value) => string
  onChange: (value: readonly Value[]) => void
  disabled?: boolean
  /** Highlighted chips, for example refused ones. */
  marked?: readonly string[]
}

/** Chips whose order counts: drag them, or move the focused one with the arrow keys; Delete takes it away. */
export function OrderedChips<Value extends string>(props: OrderedChipsProps<Value>) {
  const { label, value, nameOf, onChange, disabled = false, marked = [] } = props
  const { t } = useTranslation('ui')
  const { t: tFields } = useTranslation('fields')
  const [dragged, setDragged] = useState<Value | null>(null)
  const list = useRef<HTMLOListElement>(null)

  function moveTo(chip: Value, index: number) {
    const rest = value.filter(other => other !== chip)
    onChange([...rest.slice(0, index), chip, ...rest.slice(index)])
  }

  function onKey(event: KeyboardEvent, chip: Value, index: number) {
    const to = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: value.length - 1 }[event.key]
    if (event.key === 'Delete' || event.key === 'Backspace') onChange(value.filter(other => other !== chip))
    else if (to === undefined || to < 0 || to >= value.length) return
    else moveTo(chip, to)
    event.preventDefault()
    focusLater(to ?? Math.max(0, index - 1))
  }

  /** The moved chip keeps the focus. */
  const focusLater = (index: number) =>
    requestAnimationFrame(() =>
      list.current?.querySelectorAll<HTMLElement>('button[data-chip]')[index]?.focus(),
    )

  return (
    <ol ref={list} className={styles.chips} aria-label={label}>
      {value.map((chip, index) => (
        // Dragging is the pointer's way; the button inside takes the keys.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
        <li
          key={chip}
          className={styles.chip}
          data-marked={marked.includes(chip) || undefined}
          data-dragged={dragged === chip || undefined}
          draggable={!disabled}
          onDragStart={() => setDragged(chip)}
          onDragEnd={() => setDragged(null)}
          onDragOver={event => {
            event.preventDefault()
            if (dragged !== null && dragged !== chip) moveTo(dragged, index)
          }}
        >
          <button
            type="button"
            data-chip
            className={styles.name}
            disabled={disabled}
            title={tFields('chips_hint')}
            aria-label={tFields('chip', { name: nameOf(chip), place: index + 1, count: value.length })}
            onKeyDown={event => onKey(event, chip, index)}
          >
            <IconGripVertical size={13} stroke={1.6} aria-hidden />
            {nameOf(chip)}
          </button>
          {!disabled && (
            <button
              type="button"
              className={styles.remove}
              aria-label={t('remove', { name: nameOf(chip) })}
              onClick={() => onChange(value.filter(other => other !== chip))}
            >
              <IconX size={12} stroke={2} aria-hidden />
            </button>
          )}
        </li>
      ))}
    </ol>
  )
}
