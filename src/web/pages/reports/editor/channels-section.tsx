import { memo, useMemo, useState, type KeyboardEvent } from 'react'
import type { AdAccount } from '#shared/api/ad-accounts.ts'
import type { Report } from '#shared/api/reports.ts'
import { catalogueOf } from '#shared/channels/all.ts'
import { blockLabels } from '#shared/headers.ts'
import { limits } from '#shared/limits.ts'
import { useIsInternal } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { BlockCard } from './block-card.tsx'
import { ChannelPicker } from './channel-picker.tsx'
import type { Draft } from './draft.ts'
import styles from './editor.module.css'
import { Section, SectionErrors } from './section.tsx'
import { SortableBlock } from './sortable-block.tsx'
import type { Editing } from './use-editor.ts'

interface ChannelsSectionProps {
  channels: Draft['channels']
  header_language: Draft['header_language']
  /** What metrics are chosen beside. */
  dimensions: Draft['dimensions']
  accounts: readonly AdAccount[]
  /** As the server has it: what its last run has said. */
  current: Report | null
  editing: Editing
}

/** Where the numbers come from: channels in their order, each with accounts, metrics and filters. */
export const ChannelsSection = memo(function ChannelsSection(props: ChannelsSectionProps) {
  const { channels, header_language, dimensions, accounts, current, editing } = props
  const { edits, errors, may_change } = editing
  const { t } = useTranslation('editor')
  const internal = useIsInternal()
  const [said, setSaid] = useState('')
  const [at_first] = useState(channels.length)
  const [dragged, setDragged] = useState<number | null>(null)
  const labels = blockLabels(channels, header_language, catalogueOf)
  const beside = useMemo(() => ({ dimensions, accounts }), [dimensions, accounts])
  const isFull = channels.length >= limits.channels
  const count = channels.length

  function move(from: number, to: number) {
    if (from === to || to < 0 || to >= count) return
    edits.move(from, to)
    setSaid(t('block.moved', { label: labels[from] ?? '', place: to + 1, count }))
  }

  function moveByKey(event: KeyboardEvent<HTMLElement>, from: number) {
    const to = { ArrowUp: from - 1, ArrowDown: from + 1, Home: 0, End: count - 1 }[event.key]
    if (to === undefined || to < 0 || to >= count) return
    event.preventDefault()
    move(from, to)
    focusLater(to, '[data-handle]')
  }

  function remove(index: number) {
    edits.remove(index)
    setSaid(t('block.removed', { label: labels[index] ?? '' }))
    focusLater(Math.min(index, count - 2), '[data-deed="remove"]')
  }

  return (
    <Section name="channels">
      <SectionErrors errors={errors.of('channels')} />
      {count === 0 && (
        <p className={styles.quiet}>{t(internal ? 'block.none_internal' : 'block.none_external')}</p>
      )}
      {channels.map((block, index) => (
        <SortableBlock
          // Blocks have no ids; they are told apart by their place.
          key={String(index)}
          index={index}
          dragged={dragged}
          onDrag={setDragged}
          onDrop={move}
          onKeyDown={event => moveByKey(event, index)}
          onDeed={deed => {
            if (deed === 'up' || deed === 'down') {
              const to = deed === 'up' ? index - 1 : index + 1
              move(index, to)
              focusLater(to, `[data-deed="${deed}"]`)
            } else if (deed === 'remove') remove(index)
            else {
              edits.duplicate(index)
              setSaid(t('block.duplicated', { label: labels[index] ?? '' }))
            }
          }}
        >
          <BlockCard
            index={index}
            count={count}
            full={isFull}
            block={block}
            label={labels[index] ?? ''}
            fresh={index >= at_first}
            beside={beside}
            current={current}
            editing={editing}
          />
        </SortableBlock>
      ))}
      {may_change && (
        <div className={styles.add}>
          <ChannelPicker
            opened_at_first={count === 0}
            disabled={isFull}
            onChoose={channel => {
              edits.add(channel)
              focusLater(count, '[aria-haspopup="listbox"]')
            }}
          />
          {isFull && <small className={styles.quiet}>{t('block.limit', { count: limits.channels })}</small>}
        </div>
      )}
      <output className={styles.hidden}>{said}</output>
    </Section>
  )
})

/** So many frames a card may take until its fields are drawn. */
const MOST_FRAMES = 60

/**
 * Who has moved or removed a channel stays with it or with its neighbour; who has added one goes on with its accounts. Whoever has gone elsewhere
 * meanwhile stays there.
 */
function focusLater(index: number, selector: string) {
  const before = document.activeElement
  const look = (frames: number) => {
    const active = document.activeElement
    if (active !== before && active !== document.body) return
    const block = document.querySelector(`[data-block="${index}"]`)
    const wanted = block?.querySelector<HTMLElement>(`${selector}:not(:disabled)`)
    const instead = (block ?? document.querySelector('#channels'))?.querySelector<HTMLElement>('button')
    if (wanted) wanted.focus()
    else if (block && frames > 0) requestAnimationFrame(() => look(frames - 1))
    else instead?.focus()
  }
  requestAnimationFrame(() => look(MOST_FRAMES))
}
