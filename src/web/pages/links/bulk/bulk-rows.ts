import type { LinkPreset } from '#shared/api/links.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { buildLink } from '#shared/links/build-link.ts'
import { applyPreset, linkNameOf } from '#shared/links/presets.ts'
import { type LinkDraft } from '#web/pages/links/link-draft.ts'

/** A row before it is sent: the link that it makes, or what is wrong with it. */
export interface CheckedRow {
  name: string
  link: string | null
  problems: { field: string; code: ErrorCode }[]
}

export function checkedRow(draft: LinkDraft, preset: LinkPreset | null): CheckedRow {
  const built = buildLink(draft)
  const problems = { ...applyPreset(preset, draft).problems, ...built.problems }
  return {
    name: draft.name || linkNameOf(draft),
    link: built.link,
    problems: Object.entries(problems).flatMap(([field, codes]) =>
      (codes ?? []).map(code => ({ field, code })),
    ),
  }
}
