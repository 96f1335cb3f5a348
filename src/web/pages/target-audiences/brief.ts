import { agesAsPlatformsSee, ageText } from '#shared/age-bands.ts'
import { listText, type Language } from '#shared/language.ts'
import type { targetAudiences } from '#web/i18n/en/target-audiences.ts'
import type { Translate } from '#web/i18n/translate.ts'
import { ageRemarks, agesText, bandsText } from './age-texts.ts'
import type { Draft } from './draft.ts'
import { languageName } from './languages.ts'
import { placeText } from './places.ts'

interface BriefContext {
  t: Translate<typeof targetAudiences>
  language: Language
  /** The advertiser's name; null: not known yet. */
  advertiser: string | null
}

/** All of it as plain text, for whoever sets up the campaign. */
export function briefOf(draft: Draft, { t, language, advertiser }: BriefContext): string {
  const list = (texts: readonly string[], none: string) =>
    texts.length === 0 ? none : listText(texts, language)
  const { include, exclude } = draft.audience_lists
  const names = (lists: readonly { name: string }[]) => lists.map(({ name }) => name)
  const facts: [label: string, text: string][] = [
    [t('field.advertiser'), advertiser ?? ''],
    [t('ages.label'), agesText(draft)],
    [
      t('field.genders'),
      list(
        draft.genders.map(gender => t(`gender.${gender}`)),
        t('all.genders'),
      ),
    ],
    [t('field.locations'), placesText(draft, language, t('all.locations'))],
    [
      t('field.languages'),
      list(
        draft.languages.map(tag => languageName(tag, language)),
        t('all.languages'),
      ),
    ],
    [t('field.interests'), list(draft.interests, '')],
    [
      t('field.devices'),
      list(
        draft.devices.map(device => t(`device.${device}`)),
        t('all.devices'),
      ),
    ],
    [t('lists.include'), list(names(include), '')],
    [t('lists.exclude'), list(names(exclude), '')],
    [t('field.note'), draft.note.trim()],
  ]
  const line = (label: string, text: string) => t('brief.line', { label, text })
  return [
    draft.name.trim() === '' ? t('edit.title') : draft.name.trim(),
    ...facts.filter(([, text]) => text !== '').map(([label, text]) => line(label, text)),
    '',
    t('ages.title'),
    ...platformLines(draft, { t, language }).map(([name, text]) => line(name, text)),
  ].join('\n')
}

function placesText({ locations }: Draft, language: Language, none: string) {
  const texts = locations.map(place => placeText(place, language))
  // Their names have commas of their own.
  return texts.length === 0 ? none : texts.join(language === 'en' ? '; ' : '；')
}

function platformLines(draft: Draft, { t, language }: Pick<BriefContext, 't' | 'language'>) {
  const requested = agesText(draft)
  return agesAsPlatformsSee(draft.age_min, draft.age_max).map((ages): [string, string] => {
    const bands = bandsText(ages, language)
    const text = ages.bands.length === 0 ? [] : [bands ?? ageText(ages)]
    return [
      t(`platform.${ages.platform}`),
      [...text, ...ageRemarks(t, ages, requested)].join(t('brief.joint')),
    ]
  })
}
