import { Input, Popover } from '@mantine/core'
import '@mantine/core/styles/Popover.layer.css'
import { IconChevronDown, IconX } from '@tabler/icons-react'
import { useId, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { MultiSelectList } from './multi-select-list.tsx'
import styles from './multi-select-field.module.css'
import { collapsed, type GroupedOption } from './multi-select-rules.ts'
import { Anchor, LazyOverlay } from './lazy-overlay.tsx'

export interface MultiSelectFieldProps<Value extends string | number> {
  /** Of the button that opens it. */
  id?: string
  label: string
  /** Where something else says it to who sees the page. */
  labelHidden?: boolean
  options: readonly GroupedOption<Value>[]
  value: readonly Value[]
  onChange: (value: readonly Value[]) => void
  placeholder?: string
  hint?: ReactNode
  error?: ReactNode
  required?: boolean
  disabled?: boolean
  /** The options are on their way. */
  loading?: boolean
  /** The most that may be chosen. */
  limit?: number
  /** Why an option cannot be chosen; null or left out: it can. Called only for options in view. */
  whyNot?: (value: Value) => string | null
  /** Those that somebody has marked, and marking them. */
  favourites?: { has: (value: Value) => boolean; toggle: (value: Value) => void }
  /** For options from a server: called with the search text. Without it the options are searched here. */
  onSearch?: (search: string) => void
  /** What choosing all options of a group at once is called; left out: one chooses them one by one. */
  wholeGroup?: (group: string) => string
  /** Above the options, for example "add the usual ones". */
  actions?: ReactNode
}

/**
 * Several of many: chips for the first three, a counter for the rest, and a list to search, as long as it may
 * be.
 */
export function MultiSelectField<Value extends string | number>(props: MultiSelectFieldProps<Value>) {
  const id = useId()
  const field = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState(false)
  return (
    <Input.Wrapper
      id={id}
      labelElement="div"
      label={props.labelHidden ? undefined : props.label}
      {...(props.hint && { description: props.hint })}
      {...(props.error && { error: props.error })}
      {...(props.required && { withAsterisk: true })}
    >
      <div ref={field} className={styles.field} data-error={Boolean(props.error) || undefined}>
        <Chips {...props} />
        <button
          type="button"
          id={props.id}
          className={styles.open}
          disabled={props.disabled}
          aria-haspopup="listbox"
          aria-expanded={opened}
          aria-label={props.label}
          onClick={() => setOpened(!opened)}
        >
          {props.value.length === 0 && <span className={styles.placeholder}>{props.placeholder}</span>}
          <IconChevronDown size={16} stroke={1.6} aria-hidden />
        </button>
      </div>
      <LazyOverlay opened={opened} opener={field} onEscape={() => setOpened(false)}>
        {isOpened => (
          <Popover
            opened={isOpened}
            onChange={setOpened}
            width="target"
            position="bottom-start"
            trapFocus
            returnFocus
            withRoles={false}
          >
            <Popover.Target>
              <Anchor of={field} />
            </Popover.Target>
            <Popover.Dropdown p={0} className={styles.dropdown}>
              <MultiSelectList {...props} />
            </Popover.Dropdown>
          </Popover>
        )}
      </LazyOverlay>
    </Input.Wrapper>
  )
}

function Chips<Value extends string | number>({
  options,
  value,
  onChange,
  disabled,
}: MultiSelectFieldProps<Value>) {
  const { t } = useTranslation('ui')
  const { chips, more } = collapsed(value)
  const optionOf = (chosen: Value) => options.find(option => option.value === chosen)
  const nameOf = (chosen: Value) => optionOf(chosen)?.label ?? String(chosen)
  return (
    <>
      {chips.map(chosen => (
        <span
          key={chosen}
          className={styles.chip}
          title={nameOf(chosen)}
          data-marked={optionOf(chosen)?.marked || undefined}
        >
          <span>{optionOf(chosen)?.short ?? nameOf(chosen)}</span>
          {!disabled && (
            <button
              type="button"
              aria-label={t('remove', { name: nameOf(chosen) })}
              onClick={() => onChange(value.filter(other => other !== chosen))}
            >
              <IconX size={12} stroke={2} aria-hidden />
            </button>
          )}
        </span>
      ))}
      {more > 0 && (
        <span className={styles.more} title={value.slice(chips.length).map(nameOf).join('\n')}>
          <span aria-hidden>+{more}</span>
          <span className={styles.hidden}>{t('more_chosen', { count: more })}</span>
        </span>
      )}
    </>
  )
}
