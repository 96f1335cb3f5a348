import { limits } from '#shared/limits.ts'
import { catalogueOf } from '#shared/channels/all.ts'
import { type Channel, dimensions as allDimensions, type Dimension } from '#shared/channels/catalogue.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { OrderedChips } from '#web/ui/ordered-chips.tsx'
import { AvailableDimensions } from './available-dimensions.tsx'
import { refusedDimensions } from './dimension-choice.ts'
import styles from './editor.module.css'
import { Section, SectionErrors } from './section.tsx'
import type { Draft } from './draft.ts'
import type { Editor } from './use-editor.ts'

/** What splits the rows. One that a channel or a metric does not allow is not to be chosen, and says why. */
export function DimensionsSection({ editor }: { editor: Editor }) {
  const { t, language } = useTranslation('editor')
  const { draft, change, may_change } = editor
  const { dimensions } = draft
  const nameOf = (dimension: Dimension) => allDimensions[dimension].names[language]
  return (
    <Section name="dimensions">
      <SectionErrors errors={editor.errorsAt('dimensions')} />
      <div>
        <div className={styles.label}>{t('dimensions.chosen')}</div>
        {dimensions.length === 0 ? (
          <p className={styles.quiet}>{t('dimensions.none')}</p>
        ) : (
          <OrderedChips
            label={t('section.dimensions')}
            value={dimensions}
            nameOf={nameOf}
            onChange={chosen => change({ dimensions: [...chosen] })}
            disabled={!may_change}
            marked={refusedDimensions(draft, editor.accounts)}
          />
        )}
        <Limits draft={draft} />
      </div>
      {may_change && dimensions.length < limits.dimensions && (
        <AvailableDimensions editor={editor} nameOf={nameOf} />
      )}
      {may_change && dimensions.length >= limits.dimensions && (
        <p className={styles.quiet}>{t('dimensions.limit', { count: limits.dimensions })}</p>
      )}
    </Section>
  )
}

/** What the channels cannot quite do with the chosen dimensions, said before it is saved. */
function Limits({ draft: { channels, dimensions } }: { draft: Draft }) {
  const { t, language } = useTranslation('editor')
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
