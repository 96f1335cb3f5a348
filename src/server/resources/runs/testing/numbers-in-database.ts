import type { TestAgency } from './agency.ts'
import type { NumbersReport } from './right-numbers-oracle.ts'

/** The blocks as a report has them, with the ids of the accounts, which get the report's names. */
export async function blocksInDatabase({ db }: TestAgency, { accounts, blocks }: NumbersReport) {
  const ids: number[] = []
  for (const { external_id, name, ecid } of accounts) {
    const { id } = await db
      .updateTable('ad_account')
      .set({ name, ecid })
      .where('external_id', '=', external_id)
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.push(id)
  }
  return blocks.map(block => ({
    ...block,
    channel: 'fb' as const,
    on_error: 'leave_empty' as const,
    accounts: block.accounts.flatMap(position => ids[position] ?? []),
  }))
}

export async function reportInDatabase(agency: TestAgency, report: NumbersReport) {
  const { arrangement, fill_zero, sort, limit, header_language, dimensions, range } = report
  return await agency.report({
    arrangement,
    fill_zero,
    sort: sort && JSON.stringify(sort),
    limit,
    header_language,
    dimensions: JSON.stringify(dimensions),
    date_start: range.start,
    date_end: range.end,
    blocks: await blocksInDatabase(agency, report),
  })
}
