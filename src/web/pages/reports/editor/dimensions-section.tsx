import { memo } from 'react'
import { limits } from '#shared/limits.ts'
import { catalogueOf } from '#shared/channels/all.ts'
import { type Channel, dimensions as allDimensions, type Dimension } from '#shared/channels/catalogue.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { OrderedChips } from '#web/ui/ordered-chips.tsx'
import { AvailableDimensions } from './available-dimensions.tsx'
import { refusedDimensions } from './dimension-choice.ts'
import styles from './editor.module.css'
import type { Known } from './known.ts'
import { Section, SectionErrors } from './section.tsx'
import type { Draft } from './draft.ts'
import type { Editing } from './use-editor.ts'

interface DimensionsSectionProps {
  dimensions: Draft['dimensions']
  channels: Draft['channels']
  known: Known
  editing: Editing
}

/**
 * What splits the rows. A dimension that a channel or a metric does not allow cannot be chosen, and says why.
 */
export const DimensionsSection = memo(function DimensionsSection(props: DimensionsSectionProps) {
  const { dimensions, channels, known, editing } = props
  const { change } = editing
  const { t, language } = useTranslation('editor')
  const { t: tEditing } = useTranslation('editing')
  const draft = { dimensions, channels }
  const nameOf = (dimension: Dimension) => allDimensions[dimension].names[language]
  return (
    <Section name="dimensions">
      <SectionErrors paths={['dimensions']} editing={editing} />
      <div>
        <div className={styles.label}>{tEditing('dimensions.chosen')}</div>
        {dimensions.length === 0 ? (
          <p className={styles.quiet}>{tEditing('dimensions.none')}</p>
        ) : (
          <OrderedChips
            label={t('section.dimensions')}
            value={dimensions}
            nameOf={nameOf}
            onChange={chosen => change({ dimensions: [...chosen] })}
            marked={refusedDimensions(draft, known)}
          />
        )}
        <Limits draft={draft} />
      </div>
      {dimensions.length < limits.dimensions ? (
        <AvailableDimensions
          draft={draft}
          known={known}
          onAdd={dimension => change(before => ({ dimensions: [...before.dimensions, dimension] }))}
          nameOf={nameOf}
        />
      ) : (
        <p className={styles.quiet}>{tEditing('dimensions.limit', { count: limits.dimensions })}</p>
      )}
    </Section>
  )
})

/** What the channels cannot do with the chosen dimensions, shown before saving. */
function Limits({ draft: { channels, dimensions } }: { draft: Pick<Draft, 'channels' | 'dimensions'> }) {
  const { t, language } = useTranslation('editing')
  const distinct = [...new Set(channels.map(block => block.channel))]
  const limited = distinct.flatMap(channel =>
    dimensions.flatMap(dimension => {
      const limit = catalogueOf(channel).limited?.[dimension]
      return limit ? [{ channel, dimension, text: limit[language] }] : []
    }),
  )
  if (limited.length === 0) return null
  const name = (channel: Channel) => catalogueOf(channel).names[language]
  return (
    <ul className={styles.limits} aria-label={t('dimensions.limits')}>
      {limited.map(({ channel, dimension, text }) => (
        <li key={`${channel} ${dimension}`}>
          <strong>
            {t('dimensions.limit_of', {
              channel: name(channel),
              dimension: allDimensions[dimension].names[language],
            })}
          </strong>
          {text}
        </li>
      ))}
    </ul>
  )
}
