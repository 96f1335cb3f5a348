import { IconSearch } from '@tabler/icons-react'
import { useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { MultiSelectFieldProps } from './multi-select-field.tsx'
import styles from './multi-select-field.module.css'
import { linesOf, type GroupedOption, type Line } from './multi-select-rules.ts'

const LINE_PX = 34
const LIST_PX = 230
const LINES_BEYOND = 6

type ListProps<Value extends string | number> = MultiSelectFieldProps<Value> & { onClose: () => void }

/**
 * The list of a multi-select. Only the lines in view are in the page, so that a thousand accounts scroll like ten. The focus stays in the
 * search box; the arrow keys move the active line, Enter chooses it.
 */
export function MultiSelectList<Value extends string | number>(props: ListProps<Value>) {
  const { options, value, onChange, onSearch, limit, onClose } = props
  const { t } = useTranslation('ui')
  const id = useId()
  const [search, setSearch] = useState('')
  const [active, setActive] = useState(0)
  const scroller = useRef<HTMLDivElement>(null)
  const chosen = useMemo(() => new Set(value), [value])
  const lines = useMemo(() => linesOf(options, onSearch ? '' : search), [options, onSearch, search])
  const [scrolled, setScrolled] = useState(0)
  const isFull = limit !== undefined && value.length >= limit

  function toggle(option: GroupedOption<Value>) {
    if (chosen.has(option.value)) onChange(value.filter(other => other !== option.value))
    else if (!isFull && !option.disabled) onChange([...value, option.value])
  }

  function find(text: string) {
    setSearch(text)
    setActive(0)
    onSearch?.(text)
  }

  function onKey(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      const next = nextOption(lines, active, step)
      setActive(next)
      keepInView(scroller.current, next)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const line = lines[nextOption(lines, active - 1, 1)]
      if (line?.kind === 'option') toggle(line.option)
    } else if (event.key === 'Escape') {
      event.stopPropagation()
      onClose()
    }
  }

  const activeLine = nextOption(lines, active - 1, 1)
  const first = Math.max(0, Math.floor(scrolled / LINE_PX) - LINES_BEYOND)
  const last = Math.ceil((scrolled + LIST_PX) / LINE_PX) + LINES_BEYOND
  return (
    <>
      <label className={styles.search}>
        <IconSearch size={16} stroke={1.6} aria-hidden />
        <input
          data-autofocus
          role="combobox"
          aria-expanded
          aria-controls={id}
          aria-activedescendant={`${id}-${activeLine}`}
          aria-label={t('search')}
          placeholder={t('search')}
          value={search}
          onChange={event => find(event.currentTarget.value)}
          onKeyDown={onKey}
        />
      </label>
      {props.actions}
      <div
        ref={scroller}
        id={id}
        className={styles.list}
        role="listbox"
        aria-multiselectable
        aria-label={props.label}
        tabIndex={-1}
        onScroll={event => setScrolled(event.currentTarget.scrollTop)}
      >
        {lines.length === 0 && (
          <p className={styles.nothing}>{t(props.loading ? 'loading' : 'nothing_found')}</p>
        )}
        <div className={styles.canvas} style={{ height: lines.length * LINE_PX }}>
          {lines.slice(first, last).map((line, index) => (
            <ListLine
              key={line.kind === 'group' ? line.name : line.option.value}
              id={`${id}-${first + index}`}
              line={line}
              top={(first + index) * LINE_PX}
              active={first + index === activeLine}
              chosen={line.kind === 'option' && chosen.has(line.option.value)}
              isFull={isFull}
              onChoose={toggle}
              onPoint={() => setActive(first + index)}
            />
          ))}
        </div>
      </div>
      <Explanation line={lines[activeLine]} />
    </>
  )
}

/** What the active option is, or why it cannot be chosen. */
function Explanation<Value extends string | number>({ line }: { line: Line<Value> | undefined }) {
  if (line?.kind !== 'option' || !(line.option.disabled || line.option.explanation)) return null
  return (
    <p className={styles.explanation} data-disabled={Boolean(line.option.disabled) || undefined}>
      {line.option.disabled || line.option.explanation}
    </p>
  )
}

interface ListLineProps<Value extends string | number> {
  id: string
  line: Line<Value>
  top: number
  active: boolean
  chosen: boolean
  isFull: boolean
  onChoose: (option: GroupedOption<Value>) => void
  onPoint: () => void
}

function ListLine<Value extends string | number>(props: ListLineProps<Value>) {
  const { id, line, top, active, chosen, isFull, onChoose, onPoint } = props
  if (line.kind === 'group')
    return (
      <div role="presentation" className={styles.group} style={{ transform: `translateY(${top}px)` }}>
        {line.name}
      </div>
    )
  const { option } = line
  return (
    // The search box has the focus and handles the keys for all lines.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={chosen}
      aria-disabled={Boolean(option.disabled) || (isFull && !chosen) || undefined}
      data-active={active || undefined}
      className={styles.option}
      style={{ transform: `translateY(${top}px)` }}
      title={option.disabled ?? undefined}
      onPointerDown={event => event.preventDefault()}
      onPointerEnter={onPoint}
      onClick={() => onChoose(option)}
    >
      <span className={styles.box} aria-hidden />
      <span className={styles.name}>{option.label}</span>
      {option.note && <span className={styles.note}>{option.note}</span>}
    </div>
  )
}

/** The next line in a direction that is an option; the present one when there is none. */
function nextOption<Value extends string | number>(
  lines: readonly Line<Value>[],
  from: number,
  step: number,
): number {
  for (let index = from + step; index >= 0 && index < lines.length; index += step)
    if (lines[index]?.kind === 'option') return index
  return Math.max(0, from)
}

function keepInView(list: HTMLElement | null, line: number) {
  if (!list) return
  const top = line * LINE_PX
  if (top < list.scrollTop) list.scrollTop = top
  else if (top + LINE_PX > list.scrollTop + list.clientHeight)
    list.scrollTop = top + LINE_PX - list.clientHeight
}
