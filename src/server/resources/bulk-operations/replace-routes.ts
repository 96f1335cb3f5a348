import { randomUUID } from 'node:crypto'
import type { Trx } from '#server/db/transaction.ts'
import { MOST_AT_ONCE, ReplaceAccount, ReplaceOutcome } from '#shared/api/bulk-operations.ts'
import type { Block } from '#shared/api/reports.ts'
import type { Meanings } from '#shared/block-catalogue.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { readMeanings } from '#server/resources/insight-settings/meaning-queries.ts'
import { changeReport, checkChange } from '#server/resources/reports/save.ts'
import { eachReport } from './each-report.ts'
import { insertOperation, readAccounts, reportsWithAccount, type AccountRow, type Change } from './queries.ts'
import { BULK, refuseScope } from './paths.ts'
import { redefined, replaceAccount } from './rules.ts'

export const replace = route('POST', `${BULK}replace-account/`, {
  summary: 'Replace an account by another in many reports, with an outcome per report.',
  level: 'external_user',
  body: ReplaceAccount,
  reply: ReplaceOutcome,
  async run({ body: { dry_run, ...body }, user, db, now, effects: { settings } }) {
    refuseScope(user, body.scope)
    const found = await reportsWithAccount(db, { user, scope: body.scope }, body.from)
    const { from, to } = await accountsFor(db, user, { ...body, is_visible: found.length > 0 })
    const meanings = await readMeanings(db, { advertisers: [to.advertiser ?? 0] })
    const requested = body.reports ?? found.slice(0, MOST_AT_ONCE).map(id => ({ id }))
    const operation = randomUUID()
    const changes: Change[] = []
    const each = { user, dry_run, action: 'change' as const, nothing: {} }
    const results = await eachReport(db, requested, each, async row => {
      const replaced = replaceAccount(row.channels, { from, to })
      if ('code' in replaced) throw refuse(replaced.code, { fields: { [replaced.path]: [replaced.code] } })
      const channels = replaced.map((block, index) =>
        row.channels[index]?.accounts.includes(from.id) ? ofClient(block, { from, to, meanings }) : block,
      )
      const saving = { changes: { channels }, editor: user, settings, now }
      if (dry_run) {
        await checkChange(db, row, saving)
        return {}
      }
      const difference = await changeReport(db, row, { ...saving, folder: row.folder })
      changes.push({ report: row.id, version: row.version + 1, before: { channels: row.channels } })
      const detail = { name: row.name, from: from.id, to: to.id, deed: operation, changes: difference }
      const line = { actor: user.id, action: 'report.replace_account', object: 'report', object_id: row.id }
      await writeAudit(db, { ...line, detail }, now)
      return {}
    })
    const is_done = changes.length > 0
    if (is_done)
      await insertOperation(db, { id: operation, kind: 'replace_account', actor: user.id }, { changes, now })
    const left_out = body.reports ? 0 : found.length - requested.length
    return { dry_run, deed: is_done ? operation : null, left_out, results }
  },
})

/** Beside accounts of the client before there is no definition that is for all of them. */
function ofClient(
  block: Block,
  { from, to, meanings }: { from: AccountRow; to: AccountRow; meanings: Meanings },
): Block {
  const isWhole = block.accounts.length === 1 || from.advertiser === to.advertiser
  return redefined(block, { meanings, advertisers: isWhole ? [to.advertiser] : [] })
}

/**
 * Access to the old one may be lost already, but then it is in a visible report; the person must be able to
 * use the new one.
 */
async function accountsFor(
  db: Trx,
  user: SignedInUser,
  requested: { from: number; to: number; is_visible: boolean },
) {
  const rows = await readAccounts(db, user, [requested.from, requested.to])
  const from = rows.find(row => row.id === requested.from && (row.usable || requested.is_visible))
  const to = rows.find(row => row.id === requested.to && row.usable)
  const notAvailable = ['field_not_available' as const]
  if (!from || !to || from === to)
    throw refuse('invalid', {
      fields: { ...(!from && { from: notAvailable }), ...((!to || from === to) && { to: notAvailable }) },
    })
  return { from, to }
}
