import { Button } from '@mantine/core'
import { IconArrowsSort, IconSparkles } from '@tabler/icons-react'
import { useState } from 'react'
import { limits } from '#shared/limits.ts'
import { catalogueOf } from '#shared/channels/all.ts'
import { metricIn } from '#shared/metrics.ts'
import { useIsInternal } from '#web/app/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { MultiSelectField } from '#web/ui/multi-select-field.tsx'
import { OrderedChips } from '#web/ui/ordered-chips.tsx'
import type { BlockProps } from './block-card.tsx'
import styles from './block-card.module.css'
import { metricRefusal } from './metric-choice.ts'
import { reasonText } from './reason-text.ts'

/** What is counted: the columns of the block. What the platform cannot give beside the dimensions says why. */
export function MetricsField(props: BlockProps) {
  const { editor, index, block, onChange } = props
  const { t, language } = useTranslation('editor')
  const [ordering, setOrdering] = useState(false)
  const catalogue = catalogueOf(block.channel)
  const options = useMetricOptions(props)
  const disabled = !editor.may_change
  const missing = catalogue.usual_metrics.filter(
    id => !block.metrics.includes(id) && !options.find(option => option.value === id)?.disabled,
  )
  const set = (metrics: readonly string[]) => onChange({ ...block, metrics: [...metrics] })
  const errors = editor.errorsAt(`channels.${index}.metrics`, `channels.${index}.filters`)
  return (
    <div>
      <MultiSelectField
        label={t('block.metrics')}
        placeholder={t('block.metrics_placeholder')}
        options={options}
        value={block.metrics}
        onChange={set}
        limit={limits.metrics}
        required
        disabled={disabled}
        error={errors.length > 0 && errors.join(' ')}
      />
      {!disabled && (
        <div className={styles.small}>
          {missing.length > 0 && (
            <Button
              variant="subtle"
              size="compact-xs"
              leftSection={<IconSparkles size={14} stroke={1.7} />}
              onClick={() => set([...block.metrics, ...missing].slice(0, limits.metrics))}
            >
              {t('block.usual')}
            </Button>
          )}
          {block.metrics.length > 1 && (
            <Button
              variant="subtle"
              size="compact-xs"
              leftSection={<IconArrowsSort size={14} stroke={1.7} />}
              aria-expanded={ordering}
              onClick={() => setOrdering(!ordering)}
            >
              {t('block.order')}
            </Button>
          )}
        </div>
      )}
      {ordering && block.metrics.length > 1 && (
        <div className={styles.order}>
          <OrderedChips
            label={t('block.order')}
            value={block.metrics}
            nameOf={id => metricIn(catalogue, id)?.names[language] ?? id}
            onChange={set}
            disabled={disabled}
          />
        </div>
      )}
    </div>
  )
}

function useMetricOptions({ editor, block }: BlockProps) {
  const { t, language } = useTranslation('editor')
  const internal = useIsInternal()
  const catalogue = catalogueOf(block.channel)
  const words = { t, language, audience: internal ? ('internal' as const) : ('external' as const) }
  return Object.entries(catalogue.metrics).map(([id, metric]) => {
    const { dimensions } = editor.draft
    const refusal = metricRefusal(id, { block, dimensions, accounts: editor.accounts })
    return {
      value: id,
      label: metric.names[language],
      group: t(`group.${metric.group}`),
      explanation: metric.explanation[language],
      disabled: refusal ? reasonText(refusal, words) : null,
    }
  })
}
