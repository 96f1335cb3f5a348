import { describe, expect, it } from 'vitest'
import type { Language } from '#shared/language.ts'
import { targetAudiences as en } from '#web/i18n/en/target-audiences.ts'
import { translate, type Translate } from '#web/i18n/translate.ts'
import { targetAudiences as zhTW } from '#web/i18n/zh-TW/target-audiences.ts'
import { briefOf } from './brief.ts'
import { draftOf, emptyDraft, type Draft } from './draft.ts'
import { targetAudienceOf } from './testing/samples.ts'

const texts = { en, 'zh-TW': zhTW }

function brief(draft: Draft, language: Language = 'en', advertiser: string | null = 'Aurora') {
  const t: Translate<typeof en> = (key, ...[values]) =>
    translate(texts[language], key, { language, ...(values && { values }) })
  return briefOf(draft, { t, language, advertiser })
}
const agesIn = (ages: Pick<Draft, 'age_min' | 'age_max'>) =>
  brief({ ...emptyDraft(1), ...ages })
    .split('As platforms see it\n')[1]
    ?.split('\n')
    .slice(0, 3)

describe('a brief', () => {
  it('has all of it, one thing a line', () => {
    const row = targetAudienceOf({ note: 'Autumn\n', devices: ['mobile', 'tv'] })
    expect(brief(draftOf(row))).toBe(
      [
        'Young parents',
        'Advertiser: Aurora',
        'Ages: 20–39',
        'Genders: Female',
        'Places: Taipei City, Taiwan (Xinyi, Daan); Japan',
        'Languages: Traditional Chinese',
        'Interests: baby care',
        'Devices: Mobile, TV',
        'Audience lists to include: Aurora VIP 2026',
        'Note: Autumn',
        '',
        'As platforms see it',
        'Meta: 20–39 – Exactly these ages.',
        'Google Ads: 18–24, 25–34, 35–44 – Wider than 20–39: it has fixed age bands.',
        'TikTok: 18–24, 25–34, 35–44 – Wider than 20–39: it has fixed age bands.',
        'LINE: Choose the ages by hand: its bands are not known here.',
        'LY (Yahoo! JAPAN): Choose the ages by hand: its bands are not known here.',
      ].join('\n'),
    )
  })

  it('is in the language of the reader', () => {
    const lines = brief(draftOf(targetAudienceOf()), 'zh-TW').split('\n')
    expect(lines.slice(0, 6)).toEqual([
      'Young parents',
      '廣告主：Aurora',
      '年齡：20–39',
      '性別：女性',
      '地區：台灣台北市（Xinyi、Daan）；日本',
      '語言：繁體中文',
    ])
  })

  it('says what is not restricted, and nothing about what is not there', () => {
    expect(brief(emptyDraft(null), 'en', null).split('\n').slice(0, 7)).toEqual([
      'Target audience',
      'Ages: 18–65+',
      'Genders: All genders',
      'Places: Anywhere',
      'Languages: All languages',
      'Devices: All devices',
      '',
    ])
  })

  it('says which ages a platform does not have', () => {
    expect(agesIn({ age_min: 13, age_max: 17 })).toEqual([
      'Meta: 13–17 – Exactly these ages.',
      'Google Ads: Not possible: it has no band for 13–17.',
      'TikTok: 13–17 – Exactly these ages.',
    ])
    expect(agesIn({ age_min: 16, age_max: 30 })?.[1]).toBe(
      'Google Ads: 18–24, 25–34 – Without 16–17: it has no band for them. – Wider than 16–30: it has fixed age bands.',
    )
  })

  it('names the open band by the age at which it begins', () => {
    expect(agesIn({ age_min: 60, age_max: 65 })).toEqual([
      'Meta: 60–65+ – Exactly these ages.',
      'Google Ads: 55–64, 65+ – Wider than 60–65+: it has fixed age bands.',
      'TikTok: 55+ – Wider than 60–65+: it has fixed age bands.',
    ])
    expect(agesIn({ age_min: 25, age_max: 54 })?.map(line => line.endsWith('Exactly these ages.'))).toEqual([
      true,
      true,
      true,
    ])
  })
})
