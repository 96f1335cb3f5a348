import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconHandClick } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { agesAsPlatformsSee, ageText, type AgeBand, type PlatformAges } from '#shared/age-bands.ts'
import { LEAST_AGE, MOST_AGE } from '#shared/target-audiences.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useAdvertiser } from '#web/pages/pickers/data.ts'
import { ChannelIcon } from '#web/pages/reports/channel-icon.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { ageChannels, ageRemarks, agesText, bandsText } from './age-texts.ts'
import { briefOf } from './brief.ts'
import type { Draft } from './draft.ts'
import styles from './target-audiences.module.css'

const signs = {
  exact: IconCircleCheck,
  widened: IconAlertTriangle,
  partial: IconAlertTriangle,
  not_possible: IconCircleX,
  by_hand: IconHandClick,
}

/** The ages as each platform takes them, while they are being chosen; and all of it to take along. */
export function PlatformsPanel({ draft }: { draft: Draft }) {
  const { t, language } = useTranslation('target_audiences')
  const advertiser = useAdvertiser(draft.advertiser).data?.name ?? null
  return (
    <aside className={styles.panel} aria-label={t('ages.title')}>
      <div className={styles.panelHead}>
        <h3>{t('ages.title')}</h3>
        <CopyButton label={t('brief.copy')} text={briefOf(draft, { t, language, advertiser })} />
      </div>
      {draft.age_max < draft.age_min ? (
        <p className={styles.remark}>{t('ages.order_first')}</p>
      ) : (
        <ul className={styles.platforms}>
          {agesAsPlatformsSee(draft.age_min, draft.age_max).map(ages => (
            <PlatformLine key={ages.platform} ages={ages} draft={draft} />
          ))}
        </ul>
      )}
      <p className={styles.remark}>{t('ages.nothing_sent')}</p>
    </aside>
  )
}

function PlatformLine({ ages, draft }: { ages: PlatformAges; draft: Draft }) {
  const { t, language } = useTranslation('target_audiences')
  const Sign = signs[ages.state]
  const bands = bandsText(ages, language)
  const isOpen = ages.state === 'by_hand' || ages.state === 'not_possible'
  return (
    <li className={styles.platform} data-state={ages.state}>
      <div className={styles.platformHead}>
        <ChannelIcon channel={ageChannels[ages.platform]} size={16} />
        <span>{t(`platform.${ages.platform}`)}</span>
        <strong data-tabular>{isOpen ? '–' : ageText(ages)}</strong>
      </div>
      <AgeBar ages={ages} requested={{ from: draft.age_min, to: draft.age_max }} />
      {bands !== null && <p className={styles.bands}>{bands}</p>}
      <p className={styles.remark}>
        <Sign size={14} stroke={1.8} aria-hidden />
        <span>{ageRemarks(t, ages, agesText(draft)).join(' ')}</span>
      </p>
    </li>
  )
}

/** Drawn beside the words that say the same. */
function AgeBar({ ages, requested }: { ages: PlatformAges; requested: { from: number; to: number } }) {
  return (
    <div className={styles.bar} aria-hidden>
      {ages.bands.length > 0 && <span className={styles.reached} style={spanOf(ages)} />}
      <span className={styles.requested} style={spanOf(requested)} />
    </div>
  )
}

const YEARS = MOST_AGE - LEAST_AGE + 1

const spanOf = ({ from, to }: AgeBand): CSSProperties => ({
  insetInlineStart: `${((from - LEAST_AGE) / YEARS) * 100}%`,
  width: `${(((to ?? MOST_AGE) - from + 1) / YEARS) * 100}%`,
})
