import type { z } from 'zod'
import type { CreateLink, UpdateLink } from '#shared/api/links.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { buildLink } from '#shared/links/build-link.ts'
import { utmFields } from '#shared/links/parameters.ts'
import { applyPreset, linkNameOf, type EnteredFacts, type LinkPresetFacts } from '#shared/links/presets.ts'
import type { LockedLink, WrittenLink } from './queries.ts'
import type { Owners, RelatedIds } from './relation-queries.ts'

export type NewLink = z.output<typeof CreateLink>
export type LinkChanges = Omit<z.output<typeof UpdateLink>, 'version'>
export type FieldProblems = Record<string, readonly ErrorCode[]>
/** A preset, and whose it is. */
export type OwnedPreset = LinkPresetFacts & { advertiser: number | null }

export interface Surroundings {
  owners: Owners
  presets: ReadonlyMap<number, OwnedPreset>
}

/** Nothing belongs to an advertiser whom the caller may not use. */
const NOBODY = 0

/** A new link as it is written down, or why it cannot be. */
export function prepareLink(
  entered: NewLink,
  { owners, presets }: Surroundings,
): { link: WrittenLink } | { problems: FieldProblems } {
  const { advertiser, preset: preset_id, site, publisher, image, file, extra } = entered
  const mayUse = owners.advertisers.has(advertiser)
  const owner = mayUse ? advertiser : NOBODY
  const found = presets.get(preset_id ?? 0)
  // One of another advertiser counts as none: its values could be read from the problems.
  const preset = found && isFor(owner, found.advertiser) ? found : null
  const made = composeLink(entered, preset)
  const problems: FieldProblems = {
    ...made.problems,
    ...problemsOfRelations(owner, entered, owners),
    ...(!mayUse && { advertiser: NOT_AVAILABLE }),
    ...(preset_id !== null && preset === null && { preset: NOT_AVAILABLE }),
  }
  if (made.link === null || Object.keys(problems).length > 0) return { problems }
  const name = entered.name ?? linkNameOf(made.facts)
  const related = { advertiser, site, publisher, image, file, preset: preset_id }
  return {
    link: {
      ...related,
      ...made.facts,
      name,
      landing_url: made.landing_url,
      extra,
      link: made.link,
      ga4_channel: made.ga4_channel,
    },
  }
}

type Composed = Pick<NewLink, 'landing_url' | 'extra'> & EnteredFacts

/** The address that these facts make, as far as the preset allows them. */
export function composeLink(entered: Composed, preset: LinkPresetFacts | null) {
  const { facts, problems } = applyPreset(preset, entered)
  const built = buildLink({ ...facts, landing_url: entered.landing_url, extra: entered.extra })
  const all: FieldProblems = { ...built.problems, ...problems }
  return { ...built, link: Object.keys(all).length > 0 ? null : built.link, facts, problems: all }
}

/** What people write: the trail does not keep it. Its name says which link it is. */
export const linkTexts: readonly string[] = ['landing_url', 'link', 'extra', ...utmFields]

/** All that makes a link, as it is after a change. */
export function mergeLink(before: LockedLink, changes: LinkChanges): Composed {
  const merged: Composed = {
    platform: changes.platform === undefined ? before.platform : changes.platform,
    landing_url: changes.landing_url ?? before.landing_url,
    extra: changes.extra ?? before.extra,
  }
  for (const field of utmFields) merged[field] = changes[field] ?? before[field]
  return merged
}

const NOT_AVAILABLE = ['field_not_available'] as const

/** What a link names belongs to its advertiser, or, of materials, to the agency. */
export function problemsOfRelations(
  advertiser: number,
  { site, publisher, image, file }: Related,
  { sites, publishers, images, files }: Owners,
): FieldProblems {
  const problems: FieldProblems = {}
  if (site != null && sites.get(site) !== advertiser) problems['site'] = NOT_AVAILABLE
  if (publisher != null && !publishers.has(publisher)) problems['publisher'] = NOT_AVAILABLE
  if (image != null && !isFor(advertiser, images.get(image))) problems['image'] = NOT_AVAILABLE
  if (file != null && !isFor(advertiser, files.get(file))) problems['file'] = NOT_AVAILABLE
  return problems
}

/** undefined: there is none. */
const isFor = (advertiser: number, owner: number | null | undefined) => owner === null || owner === advertiser

type Related = Partial<
  Record<'advertiser' | 'site' | 'publisher' | 'image' | 'file', number | null | undefined>
>

export const relatedIdsOf = (links: readonly Related[]): RelatedIds => ({
  advertisers: idsOf(links.map(({ advertiser }) => advertiser)),
  sites: idsOf(links.map(({ site }) => site)),
  publishers: idsOf(links.map(({ publisher }) => publisher)),
  images: idsOf(links.map(({ image }) => image)),
  files: idsOf(links.map(({ file }) => file)),
})

export const idsOf = (ids: readonly (number | null | undefined)[]): number[] => [
  ...new Set(ids.filter(id => id != null)),
]
