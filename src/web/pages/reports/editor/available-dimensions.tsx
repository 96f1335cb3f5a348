import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { Dimension } from '#shared/channels/catalogue.ts'
import { useIsInternal } from '#web/app/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { choicesOf, newRefusal } from './dimension-choice.ts'
import styles from './editor.module.css'
import { reasonText } from './reason-text.ts'
import type { Editor } from './use-editor.ts'

interface AvailableProps {
  editor: Editor
  nameOf: (dimension: Dimension) => string
}

/** First what the channels of the report have; what none of them has is a click away, with the reason. */
export function AvailableDimensions({ editor, nameOf }: AvailableProps) {
  const { t, language } = useTranslation('editor')
  const internal = useIsInternal()
  const [asked, setAsked] = useState<Dimension | null>(null)
  const [all, setAll] = useState(false)
  const { draft, change } = editor
  const { offered, others } = choicesOf(draft)
  const shown = all ? [...offered, ...others] : offered
  const words = { t, language, audience: internal ? ('internal' as const) : ('external' as const) }
  const why = (dimension: Dimension) => {
    const refusal = newRefusal(draft, dimension, editor.accounts)
    return refusal ? reasonText(refusal, words) : null
  }

  function choose(dimension: Dimension, refused: string | null) {
    if (refused === null) change({ dimensions: [...draft.dimensions, dimension] })
    setAsked(refused === null ? null : dimension)
  }

  return (
    <div>
      <div className={styles.label}>{t('dimensions.available')}</div>
      <div className={styles.choices}>
        {shown.map(dimension => {
          const refused = why(dimension)
          return (
            <button
              key={dimension}
              type="button"
              className={styles.choice}
              aria-disabled={refused !== null || undefined}
              title={refused ?? undefined}
              onFocus={() => setAsked(refused === null ? null : dimension)}
              onClick={() => choose(dimension, refused)}
            >
              <IconPlus size={13} stroke={1.8} aria-hidden />
              {nameOf(dimension)}
            </button>
          )
        })}
        {others.length > 0 && (
          <Button variant="subtle" size="compact-xs" aria-expanded={all} onClick={() => setAll(!all)}>
            {t(all ? 'dimensions.fewer' : 'dimensions.others', { count: others.length })}
          </Button>
        )}
      </div>
      <output className={styles.reason}>{asked && shown.includes(asked) ? why(asked) : null}</output>
    </div>
  )
}
