import { ageText, type AgeBand, type AgePlatform, type PlatformAges } from '#shared/age-bands.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import { listText, type Language } from '#shared/language.ts'
import { MOST_AGE } from '#shared/target-audiences.ts'
import type { targetAudiences } from '#web/i18n/en/target-audiences.ts'
import type { Translate } from '#web/i18n/translate.ts'

/** Whose sign a platform has. */
export const ageChannels: Record<AgePlatform, Channel> = {
  meta: 'fb',
  google_ads: 'aw',
  tiktok: 'tt',
  line: 'ln',
  ly: 'yg',
}

const bandText = (band: AgeBand) => ageText({ ...band, bands: [band] })

/** The ages that are requested: 20–39, 60–65+ */
export const agesText = ({ age_min: from, age_max: to }: { age_min: number; age_max: number }) =>
  ageText({ from, to: to === MOST_AGE ? null : to, bands: [] })

/** What is chosen on a platform: its ages, and with several bands each of them. */
export function bandsText({ platform, bands }: PlatformAges, language: Language): string | null {
  // Meta takes single years: its bands are the range itself.
  if (bands.length < 2 || platform === 'meta') return null
  return listText(bands.map(bandText), language)
}

/** How far that is what was requested, in a sentence each. */
export function ageRemarks(
  t: Translate<typeof targetAudiences>,
  ages: PlatformAges,
  requested: string,
): string[] {
  const { state, missing } = ages
  if (state === 'by_hand') return [t('ages.by_hand')]
  if (state === 'not_possible') return [t('ages.not_possible', { ages: requested })]
  return [
    ...(missing ? [t('ages.missing', { ages: bandText(missing) })] : []),
    ...(ages.is_widened ? [t('ages.widened', { ages: requested })] : []),
    ...(state === 'exact' ? [t('ages.exact')] : []),
  ]
}
