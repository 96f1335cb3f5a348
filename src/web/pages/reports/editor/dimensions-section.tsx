import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { limits } from '#shared/limits.ts'
import { whyNotAsk, type Refusal } from '#shared/block-rules.ts'
import type { AdAccount } from '#shared/api/ad-accounts.ts'
import { catalogueOf } from '#shared/channels/all.ts'
import { dimensions as allDimensions, type Dimension } from '#shared/channels/catalogue.ts'
import { useIsInternal } from '#web/app/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { OrderedChips } from '#web/ui/ordered-chips.tsx'
import styles from './editor.module.css'
import { reasonText } from './reason-text.ts'
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
          />
        )}
      </div>
      {may_change && <Available editor={editor} nameOf={nameOf} />}
    </Section>
  )
}

function Available({ editor, nameOf }: { editor: Editor; nameOf: (dimension: Dimension) => string }) {
  const { t, language } = useTranslation('editor')
  const internal = useIsInternal()
  const [asked, setAsked] = useState<Dimension | null>(null)
  const { draft, change } = editor
  const words = { t, language, audience: internal ? ('internal' as const) : ('external' as const) }
  const why = (dimension: Dimension) => {
    if (draft.dimensions.length >= limits.dimensions)
      return t('dimensions.limit', { count: limits.dimensions })
    const refusal = newRefusal(draft, dimension, editor.accounts)
    return refusal ? reasonText(refusal, words) : null
  }
  const rest = offered.filter(dimension => !draft.dimensions.includes(dimension))
  const reason = asked && rest.includes(asked) ? why(asked) : null
  return (
    <div>
      <div className={styles.label}>{t('dimensions.available')}</div>
      <div className={styles.choices}>
        {rest.map(dimension => {
          const refused = why(dimension)
          return (
            <button
              key={dimension}
              type="button"
              className={styles.choice}
              aria-disabled={refused !== null || undefined}
              title={refused ?? undefined}
              onClick={() => {
                if (refused === null) change({ dimensions: [...draft.dimensions, dimension] })
                setAsked(refused === null ? null : dimension)
              }}
            >
              <IconPlus size={13} stroke={1.8} aria-hidden />
              {nameOf(dimension)}
            </button>
          )
        })}
      </div>
      <output className={styles.reason}>{reason}</output>
    </div>
  )
}

const isDimension = (name: string): name is Dimension => Object.hasOwn(allDimensions, name)
const offered = Object.keys(allDimensions).filter(isDimension)

/** What would be refused with one dimension more and is not without it. */
function newRefusal(draft: Draft, dimension: Dimension, accounts: readonly AdAccount[]): Refusal | undefined {
  const before = refusals(draft, draft.dimensions, accounts).map(refusal => JSON.stringify(refusal))
  return refusals(draft, [...draft.dimensions, dimension], accounts).find(
    refusal => !before.includes(JSON.stringify(refusal)),
  )
}

const refusals = ({ channels }: Draft, dimensions: Dimension[], accounts: readonly AdAccount[]) =>
  channels.flatMap((block, index) =>
    whyNotAsk({
      index,
      block,
      dimensions,
      catalogue: catalogueOf(block.channel),
      accounts: accounts.filter(({ id }) => block.accounts.includes(id)),
    }),
  )
