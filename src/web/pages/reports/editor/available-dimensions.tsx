import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { Dimension } from '#shared/channels/catalogue.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Draft } from './draft.ts'
import { choicesOf, newRefusal } from './dimension-choice.ts'
import styles from './editor.module.css'
import { blockIn } from './errors.ts'
import type { Known } from './known.ts'
import { named, reasonText } from './reason-text.ts'
import { useWords } from './use-field-errors.ts'

interface AvailableProps {
  draft: Pick<Draft, 'channels' | 'dimensions'>
  known: Known
  onAdd: (dimension: Dimension) => void
  nameOf: (dimension: Dimension) => string
}

/** First what the channels of the report have; what none of them has is a click away, with the reason. */
export function AvailableDimensions({ draft, known, onAdd, nameOf }: AvailableProps) {
  const { t } = useTranslation('editing')
  const words = useWords()
  const [explained, setExplained] = useState<Dimension | null>(null)
  const [all, setAll] = useState(false)
  const { offered, others } = choicesOf(draft)
  const visible = all ? [...offered, ...others] : offered
  const why = (dimension: Dimension) => {
    const refusal = newRefusal(draft, dimension, known)
    const block = refusal && draft.channels[blockIn(refusal.path) ?? -1]
    return refusal ? reasonText(named(refusal, block, known), words) : null
  }

  function choose(dimension: Dimension, refused: string | null) {
    if (refused === null) onAdd(dimension)
    setExplained(refused === null ? null : dimension)
  }

  return (
    <div>
      <div className={styles.label}>{t('dimensions.available')}</div>
      <div className={styles.choices}>
        {visible.map(dimension => {
          const refused = why(dimension)
          return (
            <button
              key={dimension}
              type="button"
              className={styles.choice}
              aria-disabled={refused !== null || undefined}
              title={refused ?? undefined}
              onFocus={() => setExplained(refused === null ? null : dimension)}
              onClick={() => choose(dimension, refused)}
            >
              <IconPlus size={13} stroke={1.8} aria-hidden />
              {nameOf(dimension)}
            </button>
          )
        })}
        {others.length > 0 && (
          <Button
            variant="subtle"
            size="compact-xs"
            classNames={{ root: styles.others, label: styles.othersLabel }}
            aria-expanded={all}
            onClick={() => setAll(!all)}
          >
            {t(all ? 'dimensions.fewer' : 'dimensions.others', { count: others.length })}
          </Button>
        )}
      </div>
      <output className={styles.reason}>
        {explained && visible.includes(explained) ? why(explained) : null}
      </output>
    </div>
  )
}
