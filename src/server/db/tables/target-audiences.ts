import type { Generated } from 'kysely'
import type { devices, genders, Location } from '#shared/target-audiences.ts'
import type { GeneratedJson } from './json.ts'
import type { Made } from './made.ts'

export interface TargetAudienceTable extends Made {
  advertiser: number
  name: string
  age_min: number
  age_max: number
  genders: Generated<(typeof genders)[number][]>
  locations: GeneratedJson<Location[]>
  languages: Generated<string[]>
  interests: Generated<string[]>
  devices: Generated<(typeof devices)[number][]>
  note: Generated<string>
}

export interface TargetAudienceListTable {
  target_audience: number
  audience: number
  side: 'include' | 'exclude'
  position: number
}
