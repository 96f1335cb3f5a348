import { isAtLeast, isMakerOrManager, type Person } from '#shared/access.ts'
import type { Link, LinkPreset } from '#shared/api/links.ts'
import { buildLink } from '#shared/links/build-link.ts'
import type { PresetRow } from './preset-queries.ts'
import type { LinkRow } from './queries.ts'

/** A link as a person reads it. What there is to say about it is worked out anew: it is not stored. */
export const presentLink = (person: Person, row: LinkRow): Link => ({
  ...row,
  warnings: buildLink(row).warnings,
  may_delete: isMakerOrManager(person, row),
  created_at: row.created_at.toISOString(),
  last_modified_at: row.last_modified_at.toISOString(),
})

export const presentPreset = (person: Person, row: PresetRow): LinkPreset => ({
  ...row,
  may_change: mayChangePreset(person, row),
  may_delete: mayChangePreset(person, row) && isMakerOrManager(person, row),
  created_at: row.created_at.toISOString(),
  last_modified_at: row.last_modified_at.toISOString(),
})

/** Of those who see it: an advertiser's by everyone who serves it, the agency's by managers. */
export const mayChangePreset = (person: Person, { advertiser }: { advertiser: number | null }): boolean =>
  advertiser !== null || isAtLeast(person.identity, 'manager')
