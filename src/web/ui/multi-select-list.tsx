import { IconChecks, IconSearch, IconStar } from '@tabler/icons-react'
import { useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { MultiSelectFieldProps } from './multi-select-field.tsx'
import styles from './multi-select-field.module.css'
import { linesOf, type GroupedOption, type Line } from './multi-select-rules.ts'

const LINE_PX = 34
const LIST_PX = 230
const LINES_BEYOND = 6

/**
 * The list of a multi-select. Only the lines in view are in the page, so that a thousand accounts scroll like
 * ten. The focus stays in the search box; the arrow keys move the active line, Enter chooses it.
 */
export function MultiSelectList<Value extends string | number>(props: MultiSelectFieldProps<Value>) {
  const { options, value, onChange, onSearch, limit, whyNot, favourites } = props
  const { t } = useTranslation('ui')
  const { t: tFields } = useTranslation('fields')
  const id = useId()
  const [search, setSearch] = useState('')
  // By its value: an option that is marked as a favourite moves, and stays the active one.
  const [active, setActive] = useState<Value | null>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const chosen = useMemo(() => new Set(value), [value])
  const lines = useMemo(() => linesOf(options, onSearch ? '' : search), [options, onSearch, search])
  const [scrolled, setScrolled] = useState(0)
  const activeLine = useMemo(() => lineOf(lines, active), [lines, active])
  const isFull = limit !== undefined && value.length >= limit

  function toggle(option: GroupedOption<Value>) {
    if (chosen.has(option.value)) onChange(value.filter(other => other !== option.value))
    else if (!isFull && !whyNot?.(option.value)) onChange([...value, option.value])
  }

  const chooseGroup = (name: string) => addGroup(props, name)

  function find(text: string) {
    setSearch(text)
    setActive(null)
    onSearch?.(text)
  }

  function onKey(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      const next = lines[nextOption(lines, activeLine, step)]
      if (next?.kind !== 'option') return
      setActive(next.option.value)
      keepInView(scroller.current, lines.indexOf(next))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const line = lines[activeLine]
      if (line?.kind === 'option') toggle(line.option)
    }
  }

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
          aria-describedby={`${id}-explanation`}
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
              refused={line.kind === 'option' ? (whyNot?.(line.option.value) ?? null) : null}
              isFull={isFull}
              {...(props.wholeGroup && { wholeGroup: { label: props.wholeGroup, onChoose: chooseGroup } })}
              {...(favourites && { favourites })}
              onChoose={toggle}
              onPoint={() => line.kind === 'option' && setActive(line.option.value)}
            />
          ))}
        </div>
      </div>
      {isFull && <p className={styles.full}>{tFields('limit_reached', { count: limit })}</p>}
      <Explanation
        id={`${id}-explanation`}
        line={lines[activeLine]}
        list={props}
        onChooseGroup={chooseGroup}
      />
    </>
  )
}

/** Chooses all options of a group that may be chosen, as many as there is room for. */
function addGroup<Value extends string | number>(props: MultiSelectFieldProps<Value>, name: string) {
  const { options, value, onChange, whyNot, limit = Number.POSITIVE_INFINITY } = props
  const added = options.filter(
    option => option.group === name && !value.includes(option.value) && !whyNot?.(option.value),
  )
  if (added.length > 0)
    onChange([...value, ...added.map(option => option.value)].slice(0, Math.max(limit, value.length)))
}

interface ExplanationProps<Value extends string | number> {
  id: string
  line: Line<Value> | undefined
  list: MultiSelectFieldProps<Value>
  onChooseGroup: (group: string) => void
}

/** What the active option is, or why it cannot be chosen; and marking it as a favourite. */
function Explanation<Value extends string | number>(props: ExplanationProps<Value>) {
  const { id, line, list, onChooseGroup } = props
  const { t } = useTranslation('fields')
  if (line?.kind !== 'option') return null
  const { value, label, explanation, group } = line.option
  const refused = list.whyNot?.(value) ?? null
  const { favourites } = list
  const wholeGroup = group !== undefined && list.wholeGroup?.(group)
  if (!favourites && !refused && !explanation && !wholeGroup) return null
  return (
    <div className={styles.footer}>
      <p id={id} className={styles.explanation} data-disabled={refused !== null || undefined}>
        {refused ?? explanation}
      </p>
      {wholeGroup && (
        <button type="button" className={styles.whole} onClick={() => onChooseGroup(group)}>
          {wholeGroup}
        </button>
      )}
      {favourites && (
        <button
          type="button"
          className={styles.star}
          aria-pressed={favourites.has(value)}
          aria-label={t('favourite', { name: label })}
          title={t('favourite', { name: label })}
          onClick={() => favourites.toggle(value)}
        >
          <IconStar size={16} stroke={1.6} aria-hidden />
        </button>
      )}
    </div>
  )
}

interface ListLineProps<Value extends string | number> {
  id: string
  line: Line<Value>
  top: number
  active: boolean
  chosen: boolean
  /** Why it cannot be chosen. */
  refused: string | null
  isFull: boolean
  favourites?: MultiSelectFieldProps<Value>['favourites']
  wholeGroup?: { label: (group: string) => string; onChoose: (group: string) => void }
  onChoose: (option: GroupedOption<Value>) => void
  onPoint: () => void
}

function ListLine<Value extends string | number>(props: ListLineProps<Value>) {
  const { id, line, top, active, chosen, refused, isFull, favourites, onChoose, onPoint } = props
  if (line.kind === 'group')
    return (
      <div role="presentation" className={styles.group} style={{ transform: `translateY(${top}px)` }}>
        {line.name}
        {props.wholeGroup && (
          // By keys the button below the list does it.
          // oxlint-disable-next-line click-events-have-key-events, no-static-element-interactions
          <span
            className={styles.all}
            title={props.wholeGroup.label(line.name)}
            aria-hidden
            onClick={() => props.wholeGroup?.onChoose(line.name)}
          >
            <IconChecks size={15} stroke={1.7} />
          </span>
        )}
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
      aria-disabled={refused !== null || (isFull && !chosen) || undefined}
      data-active={active || undefined}
      className={styles.option}
      style={{ transform: `translateY(${top}px)` }}
      title={refused ?? undefined}
      onPointerDown={event => event.preventDefault()}
      onPointerEnter={onPoint}
      onClick={() => onChoose(option)}
    >
      <span className={styles.box} aria-hidden />
      <span className={styles.name}>{option.label}</span>
      {option.note && <span className={styles.note}>{option.note}</span>}
      {favourites && (
        // The pointer's way; by keys the button below the list does it.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
        <span
          className={styles.mark}
          data-marked={favourites.has(option.value) || undefined}
          aria-hidden
          onClick={event => {
            event.stopPropagation()
            favourites.toggle(option.value)
          }}
        >
          <IconStar size={15} stroke={1.6} />
        </span>
      )}
    </div>
  )
}

/** The line of an option, or the first one. */
function lineOf<Value extends string | number>(lines: readonly Line<Value>[], value: Value | null): number {
  const found = lines.findIndex(line => line.kind === 'option' && line.option.value === value)
  return found === -1 ? nextOption(lines, -1, 1) : found
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
