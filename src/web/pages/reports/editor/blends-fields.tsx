import { Button, Input } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { limits } from '#shared/limits.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { BlendCard } from './blend-card.tsx'
import { blendOperands } from './blend-operands.ts'
import styles from './blends.module.css'
import { moved } from './block-edits.ts'
import type { Draft } from './draft.ts'
import type { Known } from './known.ts'
import { SectionErrors } from './section.tsx'
import type { Editing } from './use-editor.ts'

interface BlendsFieldsProps {
  blends: Draft['blends']
  channels: Draft['channels']
  /** Where channels are stacked there is no room for another one. */
  isStacked: boolean
  known: Known
  editing: Editing
}

type Blend = Draft['blends'][number]
const empty: Blend = { name: '', formula: '', unit: 'ratio', decimals: 2 }

/** Columns that are worked out of several channels, in their order. */
export function BlendsFields(props: BlendsFieldsProps) {
  const { blends, channels, isStacked, known, editing } = props
  const { t, language } = useTranslation('editing')
  const operands = useMemo(() => blendOperands(channels, { known, language }), [channels, known, language])
  const edit = (how: (before: Blend[]) => Blend[]) =>
    editing.change(before => ({ blends: how(before.blends) }))
  const isFull = blends.length >= limits.blends
  return (
    <Input.Wrapper labelElement="div" label={t('blend.label')} description={t('blend.hint')}>
      <div className={styles.blends}>
        <SectionErrors paths={['blends']} editing={editing} />
        {blends.map((blend, index) => (
          <BlendCard
            // Blends have no ids; their index identifies them.
            key={String(index)}
            index={index}
            count={blends.length}
            blend={blend}
            operands={operands}
            errors={editing.errors}
            onChange={changed => edit(before => before.with(index, { ...blend, ...changed }))}
            onMove={to => edit(before => moved(before, index, to))}
            onRemove={() => edit(before => before.toSpliced(index, 1))}
          />
        ))}
        <div className={styles.add}>
          <Button
            variant="default"
            size="compact-md"
            leftSection={<IconPlus size={15} stroke={1.8} />}
            disabled={isFull || isStacked}
            onClick={() => edit(before => [...before, empty])}
          >
            {t('blend.add')}
          </Button>
          {isFull && <small>{t('blend.limit', { count: limits.blends })}</small>}
        </div>
      </div>
    </Input.Wrapper>
  )
}
