import { Modal } from '@mantine/core'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useId, useState, type KeyboardEvent } from 'react'
import { useIsInternal } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useEscape } from '#web/ui/escape.ts'
import { useReturnFocus } from '#web/ui/return-focus.ts'
import styles from './palette.module.css'
import { useEntries, type Entry, type Found } from './use-entries.ts'

/** Reports are requested when typing has paused for this long; pages and actions are found at once. */
const PAUSE_MS = 250

/** Search over reports, folders, pages and actions, by keyboard from end to end. */
export function Palette({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('palette')
  useReturnFocus(opened)
  useEscape(opened, onClose)
  return (
    <Modal.Root
      closeOnEscape={false}
      returnFocus={false}
      opened={opened}
      onClose={onClose}
      lockScroll={false}
      size={600}
      yOffset="12vh"
      transitionProps={{ duration: 100 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={t('title')} radius="md">
        <Search onClose={onClose} />
      </Modal.Content>
    </Modal.Root>
  )
}

/** Mounted anew each time that the palette is opened. */
function Search({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('palette')
  const isInternal = useIsInternal()
  const id = useId()
  const [text, setText] = useState('')
  const [settled] = useDebouncedValue(text.trim(), PAUSE_MS)
  const found = useEntries(text.trim(), settled)
  const entries = found.groups.flatMap(group => group.entries)
  const [cursor, setCursor] = useState(0)
  const at = Math.min(cursor, entries.length - 1)
  const optionId = (entry: Entry) => `${id}-${entry.key.replaceAll(/\W/g, '-')}`
  const chosen = entries[at]
  const choose = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    entry.open()
  }
  const keys = (event: KeyboardEvent) => {
    // An Enter that ends a Chinese composition is not for the palette.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') choose(entries[at])
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 5, PageUp: at - 5 }[event.key]
    if (event.key !== 'Enter' && to === undefined) return
    event.preventDefault()
    if (to !== undefined) setCursor(indexOf(to, at, entries.length))
  }
  return (
    <>
      <div className={styles.field}>
        <IconSearch size={18} stroke={1.6} aria-hidden />
        <input
          className={styles.input}
          role="combobox"
          aria-label={t('title')}
          aria-expanded
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={chosen && optionId(chosen)}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          placeholder={t(isInternal ? 'placeholder_agency' : 'placeholder')}
          data-autofocus
          value={text}
          onChange={event => {
            setText(event.currentTarget.value)
            setCursor(0)
          }}
          onKeyDown={keys}
        />
      </div>
      <Results {...{ found, entries, at, id, optionId, choose }} onPoint={setCursor} />
      <output className={styles.foot}>
        <Outcome found={found} count={entries.length} text={text.trim()} />
      </output>
    </>
  )
}

/** A single step wraps around; a larger one stops at the end. */
function indexOf(to: number, from: number, count: number) {
  if (count === 0) return 0
  return Math.abs(to - from) === 1 ? (to + count) % count : Math.max(0, Math.min(count - 1, to))
}

interface ResultsProps {
  found: Found
  entries: readonly Entry[]
  at: number
  id: string
  optionId: (entry: Entry) => string
  choose: (entry: Entry) => void
  onPoint: (at: number) => void
}

function Results({ found, entries, at, id, optionId, choose, onPoint }: ResultsProps) {
  const { t } = useTranslation('palette')
  return (
    <div id={`${id}-list`} role="listbox" aria-label={t('results')} className={styles.list}>
      {found.groups.map(group => (
        <div key={group.kind} role="group" aria-labelledby={`${id}-${group.kind}`}>
          <div id={`${id}-${group.kind}`} className={styles.kind}>
            {t(`kind.${group.kind}`)}
          </div>
          {group.entries.map(entry => {
            const index = entries.indexOf(entry)
            return (
              <div
                key={entry.key}
                ref={index === at ? keepInView : null}
                id={optionId(entry)}
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                className={styles.entry}
                onPointerMove={() => onPoint(index)}
                onMouseDown={event => event.preventDefault()}
                onClick={() => choose(entry)}
                onKeyDown={() => {}}
              >
                <entry.icon size={18} stroke={1.6} aria-hidden />
                <span className={styles.name}>{entry.name}</span>
                {entry.note !== null && <small>{entry.note}</small>}
              </div>
            )
          })}
        </div>
      ))}
    </div>
  )
}

const keepInView = (option: HTMLElement | null) => option?.scrollIntoView({ block: 'nearest' })

/** How much there is, for everybody; and how to go on. */
function Outcome({ found, count, text }: { found: Found; count: number; text: string }) {
  const { t } = useTranslation('palette')
  if (found.has_failed) return t('failed')
  if (found.is_searching) return t('searching')
  if (count === 0) return t('nothing', { text })
  return text === '' ? t('hint') : t('found', { count })
}
