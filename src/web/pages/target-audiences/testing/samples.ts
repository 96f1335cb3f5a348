import { agesAsPlatformsSee } from '#shared/age-bands.ts'
import type { TargetAudience } from '#shared/api/target-audiences.ts'

const at = '2026-11-01T08:00:00.000Z'

export const targetAudienceOf = (facts: Partial<TargetAudience> = {}): TargetAudience => {
  const row = { ...parents, ...facts }
  return { ...row, platforms: agesAsPlatformsSee(row.age_min, row.age_max) }
}

const parents: TargetAudience = {
  id: 3,
  version: 1,
  name: 'Young parents',
  advertiser: 1,
  advertiser_name: 'Aurora',
  age_min: 20,
  age_max: 39,
  genders: ['female'],
  locations: [
    { country: 'TW', region: 'TW-TPE', city: 'Xinyi' },
    { country: 'TW', region: 'TW-TPE', city: 'Daan' },
    { country: 'JP' },
  ],
  languages: ['zh-Hant'],
  interests: ['baby care'],
  devices: [],
  audience_lists: { include: [{ id: 5, name: 'Aurora VIP 2026' }], exclude: [] },
  platforms: [],
  note: '',
  created_by: 7,
  created_by_name: 'Sam Huang',
  may_delete: true,
  created_at: at,
  last_modified_at: at,
}
