import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import { BulkLinks, BulkLinksQuery, BulkLinksReply, CreateLink } from '#shared/api/links.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { lockUntilEnd } from '#server/db/advisory-lock.ts'
import type { Trx } from '#server/db/transaction.ts'
import { problemsOf } from '#server/http/parse.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { MOST_PROBLEMS } from '#server/import-file.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAuditLines } from '#server/resources/audit/queries.ts'
import { presetsById } from './preset-queries.ts'
import { existingLinks, insertLinks, type WrittenLink } from './queries.ts'
import { findOwners } from './relation-queries.ts'
import { idsOf, linkTexts, prepareLink, relatedIdsOf, type NewLink } from './rules.ts'

const MIB = 1024 * 1024
const ROWS_AT_ONCE = 50

export const bulkRoute = route('POST', '/api/ad/bulk/', {
  summary:
    'Make up to 500 campaign links at once, of bodies like those of `POST /api/ad/`; one problem, and none is made. A link that its advertiser has already counts as `same`.',
  level: 'staff',
  // The texts of a link are bound by its length, which is counted when they are encoded.
  largest_json: { bytes: 2 * MIB, values: 30_000 },
  query: BulkLinksQuery,
  body: BulkLinks,
  reply: BulkLinksReply,
  async run({ query: { dry_run }, body, user, db, now }) {
    // The same bulk from two people at once is made by the first.
    if (!dry_run) await lockUntilEnd(db, 'links in bulk')
    const { links, problems } = await prepareLinks(db, user, body)
    if (problems.length > 0) {
      const reply = { create: 0, same: 0, problems: problems.slice(0, MOST_PROBLEMS) }
      if (!dry_run) throw refuse('invalid', { extra: reply })
      return reply
    }
    const fresh = withoutSame(links, await existingLinks(db, links))
    if (!dry_run) await write(db, fresh, { user, now })
    return { create: fresh.length, same: links.length - fresh.length, problems: [] }
  },
})

async function prepareLinks(trx: Trx, user: SignedInUser, body: z.output<typeof BulkLinks>) {
  const rows = body.rows.map(row => CreateLink.safeParse(row))
  const read = rows.flatMap(({ data }) => (data ? [withPreset(data, body)] : []))
  const surroundings = {
    owners: await findOwners(trx, user, relatedIdsOf(read)),
    presets: await presetsById(trx, idsOf(read.map(({ preset }) => preset))),
  }
  const links: WrittenLink[] = []
  const problems: z.output<typeof BulkLinksReply>['problems'] = []
  for (const [at, { data, error }] of rows.entries()) {
    // Other requests are answered in between.
    if (at % ROWS_AT_ONCE === 0) await setImmediate()
    const note = (field: string, code: ErrorCode) => problems.push({ row: at + 1, field, code })
    for (const { field, code } of error?.issues.flatMap(problemsOf) ?? []) note(field, code)
    if (!data) continue
    const prepared = prepareLink(withPreset(data, body), surroundings)
    if ('link' in prepared) links.push(prepared.link)
    else
      for (const [field, codes] of Object.entries(prepared.problems))
        for (const code of codes) note(field, code)
  }
  return { links, problems }
}

const withPreset = (row: NewLink, { preset }: { preset: number | null }): NewLink => ({
  ...row,
  preset: row.preset ?? preset,
})

/** The first of those that are the same, where there is none yet. */
function withoutSame(
  links: readonly WrittenLink[],
  existing: readonly { advertiser: number; link: string }[],
) {
  const known = new Set(existing.map(keyOf))
  return links.filter(link => {
    const isNew = !known.has(keyOf(link))
    known.add(keyOf(link))
    return isNew
  })
}

const keyOf = ({ advertiser, link }: { advertiser: number; link: string }) => `${advertiser} ${link}`

async function write(
  trx: Trx,
  links: readonly WrittenLink[],
  { user, now }: { user: SignedInUser; now: Date },
) {
  if (links.length === 0) return
  const ids = await insertLinks(trx, links, { created_by: user.id, now })
  const lines = links.map((link, at) => ({
    actor: user.id,
    action: 'link.create',
    object: 'link',
    object_id: ids[at] ?? 0,
    detail: { name: link.name, changes: changedFields({}, link, linkTexts) },
  }))
  await writeAuditLines(trx, lines, now)
}
