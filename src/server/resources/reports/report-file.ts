import { Document } from 'yaml'
import type { FileProblem, ReportFile } from '#shared/api/report-files.ts'
import type { Block, CreateReport } from '#shared/api/reports.ts'
import { accountChannelOf } from '#shared/channels/all.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import type { Db } from '#server/db/connect.ts'
import type { AccountFacts } from '#server/table/plan.ts'
import { draftOf } from './draft.ts'
import type { ReportTable } from './queries.ts'
import { allUsableAccounts } from '#server/resources/ad-accounts/queries.ts'
import type { OwnerAccess } from '#server/resources/people/queries.ts'

/** All accounts that somebody may use; a file may name any of them. */
export async function accountsForFile(
  db: Db,
  access: Pick<OwnerAccess, 'advertisers'>,
): Promise<AccountsByName> {
  const by_name: Map<string, number[]> = new Map()
  for (const { id, channel, external_id, name, property_name } of await allUsableAccounts(db, access))
    for (const called of new Set([external_id, name, property_name ?? name])) {
      const key = keyOf(channel, called)
      by_name.set(key, [...(by_name.get(key) ?? []), id])
    }
  return by_name
}

/**
 * Ids by channel and any name of an account: a file names thousands, and each would be searched for among
 * thousands.
 */
export type AccountsByName = ReadonlyMap<string, readonly number[]>

const keyOf = (channel: Channel, called: string) => `${channel}\0${called}`

/** An account of a file that matches none, or several, of those that may be used. */
export interface MissingAccount {
  block: number
  channel: Channel
  account: string
  code: 'account_unknown' | 'account_ambiguous'
}

/** The report with the ids of its accounts, and the names that match no usable one, which are left out. */
export function resolveAccounts(
  file: ReportFile,
  usable: AccountsByName,
): { report: CreateReport; missing: MissingAccount[] } {
  const missing: MissingAccount[] = []
  const channels = file.channels.map((block, index) => {
    const accounts = block.accounts.flatMap(account => {
      const found = usable.get(keyOf(accountChannelOf(block.channel), account)) ?? []
      if (found.length === 1) return found
      const code = found.length === 0 ? 'account_unknown' : 'account_ambiguous'
      missing.push({ block: index, channel: block.channel, account, code })
      return []
    })
    return { ...block, accounts }
  })
  return { report: { ...file, folder: null, channels }, missing }
}

/** What is missing as problems of the file. */
export const missingAsProblems = (missing: readonly MissingAccount[]): FileProblem[] =>
  missing.map(({ block, account, code }) => ({
    path: `channels.${block}.accounts`,
    code,
    message: `${account}: ${code === 'account_unknown' ? 'there is no such account' : 'several accounts have this name; write its id'}`,
  }))

/** Several of them as one file, a document each. */
export const joinReportFiles = (files: readonly string[]): string => files.join('---\n')

/**
 * The report as a file that `readReportFiles` reads back: accounts by their ids at the platform, with their
 * names as comments. Accounts that the asking person may not use are left out.
 */
export function writeReportFile(report: ReportTable, accounts: readonly AccountFacts[]): string {
  const { channels, ...facts } = draftOf(report)
  const document = new Document(facts)
  document.set('channels', document.createNode(channels.map(block => blockNode(document, block, accounts))))
  return document.toString({ lineWidth: 0 })
}

function blockNode(
  document: Document,
  { channel, label, accounts: ids, metrics, filters, on_error, conversion = null }: Block,
  accounts: readonly AccountFacts[],
) {
  const named = ids.flatMap(id => accounts.find(account => account.id === id) ?? [])
  return {
    channel,
    ...(label !== null && { label }),
    accounts: named.map(({ external_id, name }) => {
      const node = document.createNode(external_id)
      node.comment = ` ${name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')}`
      return node
    }),
    metrics,
    ...(filters.length > 0 && { filters }),
    on_error,
    ...(conversion !== null && { conversion }),
  }
}
