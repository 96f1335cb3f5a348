import { Button } from '@mantine/core'
import { IconArrowsSort, IconSparkles, IconStar, type Icon } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { limits } from '#shared/limits.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { MultiSelectField } from '#web/ui/multi-select-field.tsx'
import { OrderedChips } from '#web/ui/ordered-chips.tsx'
import type { BlockProps } from './block-card.tsx'
import styles from './block-card.module.css'
import { useFavouriteMetrics } from './favourite-metrics.ts'
import { catalogueIn, metricNames } from './known.ts'
import { metricRefusal } from './metric-choice.ts'
import { useMetricOptions } from './metric-options.ts'
import { named, reasonText } from './reason-text.ts'
import { FixButtons } from './fix-buttons.tsx'
import { useWords } from './use-field-errors.ts'

/** The metrics of the block. One that the platform cannot combine with the dimensions says why. */
export function MetricsField({ index, block, beside, editing }: BlockProps) {
  const { edits, errors } = editing
  const { t, language } = useTranslation('editor')
  const words = useWords()
  const [ordering, setOrdering] = useState(false)
  const { known, dimensions } = beside
  const catalogue = useMemo(() => catalogueIn(block, known), [block, known])
  const favourites = useFavouriteMetrics(block.channel, catalogue)
  const options = useMetricOptions(block, { catalogue, known, favourites: favourites.list })
  const paths = [`channels.${index}.metrics`, `channels.${index}.filters`]
  const wrong = errors.of(...paths)
  const set = (metrics: readonly string[]) => edits.put(index, { metrics: [...metrics] })

  function whyNot(id: string): string | null {
    const refusal = metricRefusal(id, { catalogue, block, dimensions, accounts: known.accounts })
    return refusal ? reasonText(named(refusal, block, known), words) : null
  }

  return (
    <div>
      <MultiSelectField
        label={t('block.metrics')}
        placeholder={t('block.metrics_placeholder')}
        options={options}
        whyNot={whyNot}
        favourites={favourites}
        value={block.metrics}
        onChange={set}
        limit={limits.metrics}
        required
        error={wrong.length > 0 && wrong.join(' ')}
      />
      <FixButtons paths={paths} editing={editing} />
      <div className={styles.small}>
        <AddSeveral
          label={t('block.usual')}
          icon={IconSparkles}
          ids={catalogue.usual_metrics}
          chosen={block.metrics}
          whyNot={whyNot}
          onAdd={set}
        />
        <AddSeveral
          label={t('block.favourites')}
          icon={IconStar}
          ids={favourites.list.filter(id => options.some(({ value }) => value === id))}
          chosen={block.metrics}
          whyNot={whyNot}
          onAdd={set}
        />
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
      {ordering && block.metrics.length > 1 && (
        <div className={styles.order}>
          <OrderedChips
            label={t('block.order')}
            value={block.metrics}
            nameOf={id => metricNames(id, catalogue, known.meanings)[language]}
            onChange={set}
          />
        </div>
      )}
    </div>
  )
}

interface AddSeveralProps {
  label: string
  icon: Icon
  ids: readonly string[]
  chosen: readonly string[]
  whyNot: (id: string) => string | null
  onAdd: (metrics: readonly string[]) => void
}

/** Adds all missing metrics of a set with one click; renders nothing when there are none. */
function AddSeveral({ label, icon: Glyph, ids, chosen, whyNot, onAdd }: AddSeveralProps) {
  const missing = ids.filter(id => !chosen.includes(id) && whyNot(id) === null)
  if (missing.length === 0) return null
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      leftSection={<Glyph size={14} stroke={1.7} />}
      onClick={() => onAdd([...chosen, ...missing].slice(0, limits.metrics))}
    >
      {label}
    </Button>
  )
}
