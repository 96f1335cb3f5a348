import type { CreateTargetAudience, TargetAudience } from '#shared/api/target-audiences.ts'
import { MOST_AGE, type Location } from '#shared/target-audiences.ts'
import { groupedPlaces, locationsOf, type Place } from './places.ts'

type Facts = Pick<
  TargetAudience,
  | 'name'
  | 'age_min'
  | 'age_max'
  | 'genders'
  | 'languages'
  | 'interests'
  | 'devices'
  | 'audience_lists'
  | 'note'
>

/** A target audience while it is edited: whose it is may be open, and cities are beside their region. */
export interface Draft extends Facts {
  advertiser: number | null
  locations: readonly Place[]
}

export const MOST_LOCATIONS = 50
export const MOST_INTERESTS = 50
export const LONGEST_INTEREST = 60

export const emptyDraft = (advertiser: number | null): Draft => ({
  advertiser,
  name: '',
  age_min: 18,
  age_max: MOST_AGE,
  genders: [],
  locations: [],
  languages: [],
  interests: [],
  devices: [],
  audience_lists: { include: [], exclude: [] },
  note: '',
})

export const draftOf = (row: TargetAudience): Draft => ({
  advertiser: row.advertiser,
  name: row.name,
  age_min: row.age_min,
  age_max: row.age_max,
  genders: row.genders,
  locations: groupedPlaces(row.locations),
  languages: row.languages,
  interests: row.interests,
  devices: row.devices,
  audience_lists: row.audience_lists,
  note: row.note,
})

/** What is wrong before anything is sent, by field. */
export function faultsIn(draft: Draft) {
  return {
    name: draft.name.trim() === '',
    age_max: draft.age_max < draft.age_min,
    locations: locationsOf(draft.locations).length > MOST_LOCATIONS,
    interests: draft.interests.some(interest => interest.length > LONGEST_INTEREST),
  }
}

type Body = Required<Omit<CreateTargetAudience, 'advertiser' | 'locations'>> & { locations: Location[] }

/** What is sent; null: something in the draft cannot be. */
export function bodyOf(draft: Draft): Body | null {
  if (Object.values(faultsIn(draft)).some(Boolean)) return null
  const { advertiser: _fixed, audience_lists: lists, ...facts } = draft
  return {
    ...facts,
    name: draft.name.trim(),
    locations: locationsOf(draft.locations),
    audience_lists: { include: idsOf(lists.include), exclude: idsOf(lists.exclude) },
  }
}

const idsOf = (lists: readonly { id: number }[]) => lists.map(({ id }) => id)

/** Texts as they are typed or pasted: one each, none of them twice whatever its case. */
export function distinctTexts(typed: readonly string[]): string[] {
  const texts = typed.flatMap(text => text.split(SEPARATORS)).map(text => text.trim())
  const first = new Map<string, string>()
  for (const text of texts)
    if (text !== '' && !first.has(text.toLowerCase())) first.set(text.toLowerCase(), text)
  return [...first.values()]
}

/** Also those that Chinese and Japanese keyboards have. */
export const separators = [',', '，', '、', ';', '；', '\n', '\t']
const SEPARATORS = new RegExp(`[${separators.join('')}]`)
