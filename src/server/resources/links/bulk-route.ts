import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import { BulkLinks, BulkLinksQuery, BulkLinksReply } from '#shared/api/links.ts'
import { lockUntilEnd } from '#server/db/advisory-lock.ts'
import type { Trx } from '#server/db/transaction.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { writeAuditLines } from '#server/resources/audit/queries.ts'
import { presetsById } from './preset-queries.ts'
import { existingLinks, insertLinks, type WrittenLink } from './queries.ts'
import { findOwners } from './relation-queries.ts'
import { idsOf, prepareLink, relatedIdsOf } from './rules.ts'

const MIB = 1024 * 1024
const ROWS_AT_ONCE = 50

export const bulkRoute = route('POST', '/api/ad/bulk/', {
  summary:
    'Make up to 500 campaign links at once; one problem, and none is made. A link that its advertiser has already counts as `same`.',
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
    if (problems.length > 0) return { create: 0, same: 0, problems }
    const fresh = withoutSame(links, await existingLinks(db, links))
    if (!dry_run) await write(db, fresh, { user, now })
    return { create: fresh.length, same: links.length - fresh.length, problems: [] }
  },
})

async function prepareLinks(trx: Trx, user: SignedInUser, body: z.output<typeof BulkLinks>) {
  const rows = body.rows.map(row => ({ ...row, preset: row.preset ?? body.preset }))
  const surroundings = {
    owners: await findOwners(trx, user, relatedIdsOf(rows)),
    presets: await presetsById(trx, idsOf(rows.map(({ preset }) => preset))),
  }
  const links: WrittenLink[] = []
  const problems: z.output<typeof BulkLinksReply>['problems'] = []
  for (const [at, row] of rows.entries()) {
    // Other requests are answered in between.
    if (at % ROWS_AT_ONCE === 0) await setImmediate()
    const prepared = prepareLink(row, surroundings)
    if ('link' in prepared) links.push(prepared.link)
    else
      for (const [field, codes = []] of Object.entries(prepared.problems))
        problems.push(...codes.map(code => ({ row: at + 1, field, code })))
  }
  return { links, problems }
}

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
  const lines = links.map(({ name, link }, at) => ({
    actor: user.id,
    action: 'link.create',
    object: 'link',
    object_id: ids[at] ?? 0,
    detail: { name, link },
  }))
  await writeAuditLines(trx, lines, now)
}
