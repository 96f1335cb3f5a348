import { ImportBody, ImportQuery, ImportReply } from '#shared/api/customers.ts'
import type { Trx } from '#server/db/transaction.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { importReply, readImportFile } from '#server/import-file.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { lockedMonths, holdOpen } from '#server/resources/insight-settings/month-queries.ts'
import { importColumns, keyOf, planImport, requiredColumns, type ImportPlan } from './import.ts'
import { writeImported } from './import-queries.ts'
import { noteMonth } from './lock.ts'
import { EC_SPEND } from './month-routes.ts'

const costs = route('POST', `${EC_SPEND}import/`, {
  summary:
    'Import what accounts cost by month from a CSV file (month, account, cost), for what platforms do not tell. It stands whatever they say later; without a cost it goes. With `dry_run` it only says what would happen.',
  level: 'director_or_finance',
  kind: 'import',
  query: ImportQuery,
  body: ImportBody,
  takes_form: true,
  reply: ImportReply,
  async run({ query, body: { file }, user, db, now }) {
    const read = await readImportFile(file, importColumns, requiredColumns)
    await holdOpen(db, [])
    const locked = await lockedMonths(db)
    const plan = await planImport(db, read, { now, locked })
    const { problems } = plan.reply
    if (!query.dry_run && problems.some(({ code }) => code === 'month_locked'))
      throw refuse('month_locked', { extra: plan.reply })
    const reply = importReply(plan.reply, query)
    if (query.dry_run || plan.months.length === 0) return reply
    await writeImported(db, plan.months, now)
    await noteImport(db, plan, { user: user.id, now })
    return reply
  },
})

/** A line for each month, with the costs of its accounts by id. */
async function noteImport(
  trx: Trx,
  { months, before }: ImportPlan,
  { user, now }: { user: number; now: Date },
) {
  for (const [month, rows] of Map.groupBy(months, each => each.month)) {
    const costBefore = Object.fromEntries(rows.map(row => [row.ad_account, before.get(keyOf(row)) ?? null]))
    const costAfter = Object.fromEntries(rows.map(row => [row.ad_account, row.cost]))
    const changes = changedFields({ cost: costBefore }, { cost: costAfter })
    await noteMonth(trx, { month, action: 'import', user, detail: { accounts: rows.length, changes }, now })
  }
}

export const importRoutes = [costs]
