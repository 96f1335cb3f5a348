import type { LinkPreset } from '#shared/api/links.ts'
import { newDraft, withPreset, type LinkDraft } from '#web/pages/links/link-draft.ts'

/** Each value of a list with each of the others. */
export interface Lists {
  landing_url: string
  utm_source: readonly string[]
  utm_medium: readonly string[]
  utm_campaign: readonly string[]
  utm_content: readonly string[]
}

export const listFields = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content'] as const
type ListField = (typeof listFields)[number]

export const NO_LISTS: Lists = {
  landing_url: '',
  utm_source: [],
  utm_medium: [],
  utm_campaign: [],
  utm_content: [],
}

export interface Common {
  advertiser: number | null
  preset: LinkPreset | null
}

/** A link for each combination; a list without values is what the preset says. */
export function combine(lists: Lists, { advertiser, preset }: Common): LinkDraft[] {
  const base = { ...withPreset(newDraft(advertiser), preset, null), landing_url: lists.landing_url }
  return listFields
    .reduce<LinkDraft[]>(
      (drafts, field) =>
        drafts.flatMap(draft =>
          valuesOfList(lists, field, draft).map(value => ({ ...draft, [field]: value })),
        ),
      [base],
    )
    .map(draft => ({ ...draft, name: nameOf(draft, lists) }))
}

/** How many combinations there are, each list by itself; of empty ones there is one. */
export const factorsOf = (lists: Lists) =>
  listFields.map(field => lists[field].length).filter(count => count > 0)

/** How many links they make; none before anything is written. */
export const countOf = (lists: Lists) =>
  lists === NO_LISTS ? 0 : factorsOf(lists).reduce((product, count) => product * count, 1)

const valuesOfList = (lists: Lists, field: ListField, draft: LinkDraft) =>
  lists[field].length > 0 ? lists[field] : [draft[field]]

/** The values that distinguish it from the others; where nothing else does, the usual name. */
function nameOf(draft: LinkDraft, lists: Lists) {
  if (lists.utm_medium.length < 2 && lists.utm_content.length < 2) return ''
  const parts = [
    draft.utm_source,
    ...(lists.utm_medium.length > 1 ? [draft.utm_medium] : []),
    draft.utm_campaign,
    ...(lists.utm_content.length > 1 ? [draft.utm_content] : []),
  ]
  return parts.filter(Boolean).join(' · ').slice(0, 120)
}
