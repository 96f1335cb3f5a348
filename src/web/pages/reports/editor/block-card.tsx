import { ActionIcon } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconCopy, IconGripVertical, IconTrash } from '@tabler/icons-react'
import { memo, useDeferredValue } from 'react'
import type { AdAccount } from '#shared/api/ad-accounts.ts'
import type { Report } from '#shared/api/reports.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { ChannelIcon } from '#web/pages/reports/channel-icon.tsx'
import { AccountsField } from './accounts-field.tsx'
import type { Draft, DraftBlock } from './draft.ts'
import styles from './block-card.module.css'
import { FiltersField } from './filters-field.tsx'
import { MetricsField } from './metrics-field.tsx'
import { RetiredNotice } from './retired-notice.tsx'
import { SectionErrors } from './section.tsx'
import { blockDeeds, type BlockDeed } from './sortable-block.tsx'
import type { Editing } from './use-editor.ts'

export interface BlockProps {
  index: number
  block: DraftBlock
  /** What the block stands beside. */
  beside: { dimensions: Draft['dimensions']; accounts: readonly AdAccount[] }
  editing: Editing
}

interface BlockCardProps extends BlockProps {
  /** How the block is called in the headers. */
  label: string
  /** How many there are. */
  count: number
  /** No more of them can be added. */
  full: boolean
  /** It has just been added, and its fields may come a moment after it: nobody waits for an answer to the click. */
  fresh: boolean
  current: Report | null
}

/** One channel of the report. */
export const BlockCard = memo(function BlockCard(props: BlockCardProps) {
  const { editing, index, block, label, fresh } = props
  const { t } = useTranslation('editor')
  const disabled = !editing.may_change
  const movable = !disabled && props.count > 1
  const drawn = useDeferredValue(true, !fresh)
  return (
    <fieldset className={styles.block} aria-label={`${t('block.title', { number: index + 1 })}: ${label}`}>
      <header className={styles.header} data-grip draggable={movable}>
        {movable && <Handle {...props} />}
        <ChannelIcon channel={block.channel} />
        <strong>{label}</strong>
        {!disabled && <BlockActions {...props} />}
      </header>
      {drawn ? <BlockFields {...props} /> : <div className={styles.coming} aria-busy />}
    </fieldset>
  )
})

function BlockFields(props: BlockCardProps) {
  const { editing, index, block, label, current } = props
  const { edits, errors } = editing
  const { t } = useTranslation('editor')
  const disabled = !editing.may_change
  return (
    <div className={styles.fields}>
      <SectionErrors errors={errors.of(`channels.${index}`)} />
      <RetiredNotice current={current} index={index} block={block} />
      <AccountsField {...props} />
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
          disabled={disabled}
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
          disabled={disabled}
        />
      </div>
    </div>
  )
}

/** Says that the header can be dragged; moved by the arrow keys. */
function Handle({ index, count, label }: BlockCardProps) {
  const { t } = useTranslation('editor')
  return (
    <button
      type="button"
      className={styles.handle}
      data-handle
      aria-label={t('block.handle', { label, place: index + 1, count })}
      title={t('block.handle_hint')}
    >
      <IconGripVertical size={16} stroke={1.6} aria-hidden />
    </button>
  )
}

const glyphs = { up: IconArrowUp, down: IconArrowDown, copy: IconCopy, remove: IconTrash }

function BlockActions({ index, label, count, full }: BlockCardProps) {
  const { t } = useTranslation('editor')
  const off: Record<BlockDeed, boolean> = {
    up: index === 0,
    down: index === count - 1,
    copy: full,
    remove: false,
  }
  const names: Record<BlockDeed, string> = {
    up: t('block.up', { label }),
    down: t('block.down', { label }),
    copy: t('block.duplicate', { label }),
    remove: t('block.remove', { label }),
  }
  const shown = blockDeeds.filter(deed => count > 1 || (deed !== 'up' && deed !== 'down'))
  return (
    <span className={styles.actions}>
      {shown.map(deed => {
        const Glyph = glyphs[deed]
        return (
          <ActionIcon
            key={deed}
            data-deed={deed}
            disabled={off[deed]}
            aria-label={names[deed]}
            title={names[deed]}
          >
            <Glyph size={17} stroke={1.6} />
          </ActionIcon>
        )
      })}
    </span>
  )
}
