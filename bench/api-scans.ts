import type { CompiledQuery } from 'kysely'
import type { Pool } from 'pg'
import { z } from 'zod'

const Plan = z.looseObject({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  'Index Name': z.string().optional(),
  'Actual Rows': z.number(),
  'Rows Removed by Filter': z.number().default(0),
  'Rows Removed by Index Recheck': z.number().default(0),
  get Plans() {
    return z.array(Plan).default([])
  },
})
type Plan = z.infer<typeof Plan>
const Explained = z.tuple([z.looseObject({ Plan })])

/** A plan node that reads and discards more rows than this counts as a scan, whatever its type. */
const MANY = 5000

/**
 * What the statements read from end to end, or read and discard, according to EXPLAIN; empty when nothing.
 */
export async function scansOf(pool: Pool, statements: readonly CompiledQuery[]): Promise<string> {
  const found = new Set<string>()
  for (const { sql, parameters } of statements) {
    const { rows } = await pool.query(`explain (analyze, format json) ${sql}`, [...parameters])
    const [{ Plan: plan }] = Explained.parse(rows[0]['QUERY PLAN'])
    for (const node of nodesOf(plan)) {
      const read = node['Actual Rows'] + node['Rows Removed by Filter']
      const removed = node['Rows Removed by Filter'] + node['Rows Removed by Index Recheck']
      const isScan = node['Node Type'].includes('Seq Scan') && read > MANY
      if (isScan || removed > MANY)
        found.add(
          `${node['Node Type']} ${node['Relation Name'] ?? ''}: ${read.toLocaleString('en')} rows, ${removed.toLocaleString('en')} thrown away`,
        )
    }
  }
  return [...found].join('; ')
}

function* nodesOf(plan: Plan): Generator<Plan> {
  yield plan
  for (const inner of plan.Plans) yield* nodesOf(inner)
}
