import { ActionIcon } from '@mantine/core'
import {
  IconArrowDown,
  IconArrowUp,
  IconChevronDown,
  IconChevronRight,
  IconCopy,
  IconGripVertical,
  IconTrash,
} from '@tabler/icons-react'
import { memo, useDeferredValue, type DragEvent, type KeyboardEvent } from 'react'
import type { Report } from '#shared/api/reports.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { ChannelIcon } from '#web/pages/reports/channel-icon.tsx'
import { AccountsField } from './accounts-field.tsx'
import { blockId, buttonId, type BlockActions, type BlockButton } from './block-actions.ts'
import { BlockSummary } from './block-summary.tsx'
import { ConversionField } from './conversion-field.tsx'
import type { Draft, DraftBlock } from './draft.ts'
import styles from './block-card.module.css'
import { FiltersField } from './filters-field.tsx'
import type { Folds } from './folds.ts'
import type { KnownHere } from './known.ts'
import { MetricsField } from './metrics-field.tsx'
import { RetiredNotice } from './retired-notice.tsx'
import { SectionErrors } from './section.tsx'
import type { Editing } from './use-editor.ts'

export interface BlockProps {
  index: number
  block: DraftBlock
  /** The dimensions of the whole report, which limit the block, and what is known of its accounts. */
  beside: { dimensions: Draft['dimensions']; known: KnownHere }
  editing: Editing
}

interface BlockCardProps extends BlockProps {
  /** The block's name in the headers. */
  label: string
  /** How many there are. */
  count: number
  /** No more of them can be added. */
  full: boolean
  folded: boolean
  folds: Folds['changes']
  /** It has just been added, and its fields may appear a moment later, so that the click responds at once. */
  fresh: boolean
  current: Report | null
  actions: BlockActions
  /** By its header; null: it has been let go of. */
  onDrag: (index: number | null) => void
}

/** One channel of the report. */
export const BlockCard = memo(function BlockCard(props: BlockCardProps) {
  const { editing, index, block, label, fresh, folded, folds, onDrag } = props
  const { t } = useTranslation('editor')
  const movable = props.count > 1
  const drawn = useDeferredValue(true, !fresh)
  const fieldsId = `${blockId(index)}-fields`
  return (
    <fieldset
      className={styles.block}
      aria-label={`${t('block.title', { number: index + 1 })}: ${label}`}
      data-folded={folded || undefined}
    >
      {/* By keys it is moved by its buttons. */}
      <header
        className={styles.header}
        draggable={movable}
        onDragStart={event => {
          showWhole(event)
          onDrag(index)
        }}
        onDragEnd={() => onDrag(null)}
      >
        {movable && <Handle {...props} />}
        <FoldButton {...props} controls={fieldsId} />
        <ChannelIcon channel={block.channel} />
        <strong>{label}</strong>
        <Buttons {...props} />
      </header>
      <div id={fieldsId}>
        {folded ? (
          <BlockSummary
            block={block}
            known={props.beside.known}
            isWrong={editing.errors.blocks.has(index)}
            controls={fieldsId}
            onOpen={() => folds.toggle(index)}
          />
        ) : drawn ? (
          <BlockFields {...props} />
        ) : (
          <div className={styles.coming} aria-busy />
        )}
      </div>
    </fieldset>
  )
})

function BlockFields(props: BlockCardProps) {
  const { editing, index, block, label, current } = props
  const { edits, errors } = editing
  const { t } = useTranslation('editor')
  return (
    <div className={styles.fields}>
      <SectionErrors paths={[`channels.${index}`]} editing={editing} />
      <RetiredNotice current={current} index={index} block={block} />
      <AccountsField {...props} />
      <ConversionField {...props} />
      <MetricsField {...props} />
      <FiltersField {...props} />
      <div className={styles.pair}>
        <TextField
          label={t('block.label')}
          hint={t('block.label_hint')}
          placeholder={label}
          value={block.label ?? ''}
          onChange={text => edits.put(index, { label: text.trim() === '' ? null : text })}
          error={errors.at(`channels.${index}.label`)}
          maxLength={60}
        />
        <SelectField
          label={t('block.on_error')}
          value={block.on_error}
          options={[
            { value: 'leave_empty', label: t('block.on_error_leave_empty') },
            { value: 'keep_previous', label: t('block.on_error_keep_previous') },
            { value: 'fail_report', label: t('block.on_error_fail_report') },
          ]}
          onChange={on_error => edits.put(index, { on_error })}
        />
      </div>
    </div>
  )
}

/** Folds the channel to one line, and back. */
function FoldButton({ index, label, folded, folds, controls }: BlockCardProps & { controls: string }) {
  const { t } = useTranslation('editor')
  const Chevron = folded ? IconChevronRight : IconChevronDown
  return (
    <ActionIcon
      size="sm"
      aria-label={t('block.fold', { label })}
      aria-expanded={!folded}
      aria-controls={controls}
      onClick={() => folds.toggle(index)}
    >
      <Chevron size={16} stroke={1.7} />
    </ActionIcon>
  )
}

/** Says that the header can be dragged; moved by the arrow keys. */
function Handle({ index, count, label, actions }: BlockCardProps) {
  const { t } = useTranslation('editor')
  function onKeyDown(event: KeyboardEvent) {
    const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: count - 1 }[event.key]
    if (to === undefined || to < 0 || to >= count) return
    event.preventDefault()
    actions.move({ index, label, count }, to, 'handle')
  }
  return (
    <button
      type="button"
      id={buttonId(index, 'handle')}
      className={styles.handle}
      onKeyDown={onKeyDown}
      aria-label={t('block.handle', { label, place: index + 1, count })}
      title={t('block.handle_hint')}
    >
      <IconGripVertical size={16} stroke={1.6} aria-hidden />
    </button>
  )
}

function Buttons({ index, label, count, full, actions }: BlockCardProps) {
  const { t } = useTranslation('editor')
  const position = { index, label, count }
  const icon = { size: 17, stroke: 1.6 }
  const named = (button: BlockButton, name: string) => ({
    id: buttonId(index, button),
    'aria-label': name,
    title: name,
  })
  return (
    <span className={styles.actions}>
      {count > 1 && (
        <>
          <ActionIcon
            {...named('up', t('block.up', { label }))}
            disabled={index === 0}
            onClick={() => actions.move(position, index - 1, 'up')}
          >
            <IconArrowUp {...icon} />
          </ActionIcon>
          <ActionIcon
            {...named('down', t('block.down', { label }))}
            disabled={index === count - 1}
            onClick={() => actions.move(position, index + 1, 'down')}
          >
            <IconArrowDown {...icon} />
          </ActionIcon>
        </>
      )}
      <ActionIcon
        {...named('copy', t('block.duplicate', { label }))}
        disabled={full}
        onClick={() => actions.duplicate(position)}
      >
        <IconCopy {...icon} />
      </ActionIcon>
      <ActionIcon {...named('remove', t('block.remove', { label }))} onClick={() => actions.remove(position)}>
        <IconTrash {...icon} />
      </ActionIcon>
    </span>
  )
}

/** While dragging the whole card is visible, not the header alone. */
function showWhole({ dataTransfer, currentTarget, clientX, clientY }: DragEvent<HTMLElement>) {
  const card = currentTarget.closest('fieldset') ?? currentTarget
  const { left, top } = card.getBoundingClientRect()
  dataTransfer.effectAllowed = 'move'
  dataTransfer.setDragImage(card, clientX - left, clientY - top)
}
