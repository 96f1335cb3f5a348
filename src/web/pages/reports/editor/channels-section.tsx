import { Button } from '@mantine/core'
import { memo, useMemo, useState } from 'react'
import type { Report } from '#shared/api/reports.ts'
import { catalogueOf } from '#shared/channels/all.ts'
import { blockLabels } from '#shared/headers.ts'
import { limits } from '#shared/limits.ts'
import { useIsInternal } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { focusLater, useBlockActions } from './block-actions.ts'
import { BlockCard } from './block-card.tsx'
import { ChannelPicker } from './channel-picker.tsx'
import type { Draft } from './draft.ts'
import styles from './editor.module.css'
import { useFolds, type Folds } from './folds.ts'
import type { KnownHere } from './known.ts'
import { Section, SectionErrors } from './section.tsx'
import { SortableBlock } from './sortable-block.tsx'
import type { Editing } from './use-editor.ts'

interface ChannelsSectionProps {
  channels: Draft['channels']
  header_language: Draft['header_language']
  /** The rest of the report, which limits the metrics. */
  dimensions: Draft['dimensions']
  known: KnownHere
  /** The saved report, with the outcome of its last run. */
  current: Report | null
  editing: Editing
}

/** Where the numbers come from: channels in their order, each with accounts, metrics and filters. */
export const ChannelsSection = memo(function ChannelsSection(props: ChannelsSectionProps) {
  const { channels, header_language, dimensions, known, current, editing } = props
  const { edits } = editing
  const { t } = useTranslation('editor')
  const internal = useIsInternal()
  const { folded, changes: folds } = useFolds(channels.length, {
    attempt: editing.attempt,
    wrong: editing.errors.blocks,
  })
  const { actions, announcement } = useBlockActions(edits, folds)
  const [atFirst] = useState(channels.length)
  const [dragged, setDragged] = useState<number | null>(null)
  const labels = blockLabels(channels, header_language, catalogueOf)
  const beside = useMemo(() => ({ dimensions, known }), [dimensions, known])
  const isFull = channels.length >= limits.channels
  const count = channels.length

  return (
    <Section name="channels" {...(count > 1 && { actions: <FoldAll {...{ folded, count, folds }} /> })}>
      <SectionErrors paths={['channels']} editing={editing} />
      {count === 0 && (
        <p className={styles.quiet}>{t(internal ? 'block.none_internal' : 'block.none_external')}</p>
      )}
      {channels.map((block, index) => (
        <SortableBlock
          // Blocks have no ids; their index identifies them.
          key={String(index)}
          index={index}
          dragged={dragged}
          onDrop={from => actions.move({ index: from, label: labels[from] ?? '', count }, index)}
        >
          <BlockCard
            index={index}
            count={count}
            full={isFull}
            block={block}
            label={labels[index] ?? ''}
            fresh={index >= atFirst}
            folded={folded[index] ?? false}
            folds={folds}
            beside={beside}
            current={current}
            editing={editing}
            actions={actions}
            onDrag={setDragged}
          />
        </SortableBlock>
      ))}
      <div className={styles.add}>
        <ChannelPicker
          initiallyOpened={count === 0}
          disabled={isFull}
          onChoose={channel => {
            edits.add(channel)
            focusLater(count, 'accounts')
          }}
        />
        {isFull && <small className={styles.quiet}>{t('block.limit', { count: limits.channels })}</small>}
      </div>
      <output className={styles.hidden}>{announcement}</output>
    </Section>
  )
})

interface FoldAllProps {
  folded: readonly boolean[]
  count: number
  folds: Folds['changes']
}

/** Folds all channels while one is open, else opens all. */
function FoldAll({ folded, count, folds }: FoldAllProps) {
  const { t } = useTranslation('editor')
  const isOpen = Array.from({ length: count }, (_, index) => folded[index] ?? false).includes(false)
  return (
    <Button variant="subtle" size="compact-sm" onClick={() => folds.all(isOpen, count)}>
      {t(isOpen ? 'block.fold_all' : 'block.unfold_all')}
    </Button>
  )
}
