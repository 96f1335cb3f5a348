import { ImportBody, ImportQuery, ImportReply } from '#shared/api/customers.ts'
import { Id } from '#shared/api/list.ts'
import { CreateSite, SiteUrl, UpdateSite } from '#shared/api/materials.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { Trx } from '#server/db/transaction.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { importReply, readImportFile, type ImportFile } from '#server/import-file.ts'
import { countsOf, planImport } from '#server/resources/advertisers/import-plan.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAuditLines, type AuditEntry } from '#server/resources/audit/queries.ts'
import { siteColumns } from './csv.ts'
import { advertisersNamed, countUses, insertSite, lockSitesOf, updateSite } from './queries.ts'

/** No row has this id: the name is of nobody whom the person may use. */
const NOBODY = Number.MAX_SAFE_INTEGER

const schemas = { create: CreateSite, change: UpdateSite.omit({ version: true }).extend({ advertiser: Id }) }

/** An address may have more in its query than the trail, which cannot be corrected, may keep. */
export const siteTexts = ['url']
export const inTheTrail = <
  Facts extends { pixels?: readonly { platform: string; id: string }[] | undefined },
>({
  pixels,
  ...facts
}: Facts) => ({ ...facts, pixels: pixels?.map(({ platform, id }) => `${platform} ${id}`) })

export const importRoute = route('POST', '/api/site/import/', {
  summary:
    'Create and change sites from a CSV file, by advertiser and address. With `dry_run` it only says what would happen.',
  level: 'staff',
  kind: 'import',
  query: ImportQuery,
  body: ImportBody,
  takes_form: true,
  reply: ImportReply,
  async run({ query, body: { file }, user, db, now }) {
    const plan = await planOf(db, await readImportFile(file, siteColumns, ['advertiser', 'url']), user)
    const reply = importReply(countsOf(plan), query)
    if (query.dry_run) return reply
    const lines: AuditEntry[] = []
    const note = (verb: string, id: number, detail: Record<string, unknown>) =>
      lines.push({ actor: user.id, action: `site.${verb}`, object: 'site', object_id: id, detail })
    for (const { after } of plan.creates) {
      const id = await insertSite(db, { ...after, created_by: user.id, now })
      note('create', id, { name: after.name, changes: changedFields({}, inTheTrail(after), siteTexts) })
    }
    for (const { before, after } of plan.changes) {
      const { advertiser: _fixed, ...facts } = after
      await updateSite(db, before.id, { ...facts, now })
      const changes = changedFields(inTheTrail(before), inTheTrail(facts), siteTexts)
      note('change', before.id, { name: before.name, changes })
    }
    const { problems: _none, ...counts } = reply
    const whole = { actor: user.id, action: 'site.import', object: 'site', detail: counts }
    await writeAuditLines(db, [...lines, whole], now)
    return reply
  },
})

async function planOf(db: Trx, { rows, problems }: ImportFile, user: SignedInUser) {
  const names = rows.map(({ values }) => String(values['advertiser'] ?? '').normalize('NFC'))
  const advertisers = await advertisersNamed(db, user, names)
  const sites = await lockSitesOf(db, [...advertisers.values()])
  const needed = await countUses(
    db,
    sites.filter(hasMetaPixel).map(({ id }) => id),
  )
  const needsPixel = new Set(needed.filter(({ audiences }) => audiences > 0).map(({ site }) => site))
  const byKey = new Map(sites.map(site => [keyOf(site), site]))
  const file = { problems, rows: rows.map(({ row, values }, at) => ({ row, values: named(values, at) })) }
  return await planImport(file, {
    schemas,
    keyOf,
    key_field: 'url',
    find: key => byKey.get(key),
    factsOf: before => before,
    async check({ advertiser, pixels }, before) {
      const faults: Record<string, ErrorCode> = {}
      if (advertiser === NOBODY) faults['advertiser'] = 'field_not_available'
      if (before && pixels && needsPixel.has(before.id) && !hasMetaPixel({ pixels }))
        faults['pixels'] = 'in_use'
      return faults
    },
  })

  function named(values: Record<string, unknown>, at: number) {
    if (values['advertiser'] === undefined) return values
    return { ...values, advertiser: advertisers.get(names[at] ?? '') ?? NOBODY }
  }
}

const keyOf = ({ advertiser, url }: { advertiser?: unknown; url?: unknown }): string =>
  `${advertiser} ${SiteUrl.safeParse(url).data ?? url}`.toLowerCase()

/** Audiences of its visitors are made by it. */
export const hasMetaPixel = ({ pixels }: { pixels: readonly { platform: string }[] }): boolean =>
  pixels.some(({ platform }) => platform === 'meta')
