import { createReadStream } from 'node:fs'
import { parseArgs } from 'node:util'
import { isTimeZone } from '#shared/zone-names.ts'
import { migrate } from '#server/db/migrate.ts'
import type { PlatformAccount } from '#server/connectors/connector.ts'
import type { Db } from '#server/db/connect.ts'
import { importArchive, UnusableFile } from '#server/resources/ua-archive/import.ts'
import { knowsView } from '#server/resources/ua-archive/queries.ts'
import { CommandProblem, withDatabase, type Command } from './command.ts'
import { saveAccounts } from '#server/resources/ad-accounts/queries.ts'

export const command: Command = {
  usage:
    'import-ua-archive --view ID FILE.csv [--currency TWD --timezone Asia/Taipei] [--name NAME] [--advertiser NAME] [--property UA-1-1]',
  summary:
    'Imports an export of a Universal Analytics view. Days in the file replace days imported before with the same dimensions. A view that no shared login has access to needs --currency and --timezone.',
  async run(args) {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
    const [path, ...more] = positionals
    const { view } = values
    if (view === undefined || path === undefined || more.length > 0)
      throw new CommandProblem(`name a view and one file: sheetcast ${command.usage}`)
    if (!/^\d{1,20}$/.test(view))
      throw new CommandProblem(`the number of a view has digits only, not "${view}"`)
    await withDatabase('import-ua-archive', async ({ db, url }) => {
      await migrate(url, { log: console.error })
      const now = new Date()
      const account = (await knowsView(db, view)) ? null : accountOf(view, values)
      const { days, replaced, rows, first, last } = await imported(db, view, { path, now })
      if (account) await saveAccounts(db, [account], { public_account: null, now })
      const ofThem = replaced > 0 ? `, ${replaced} of which were there before` : ''
      console.log(`View ${view}: ${rows} rows of ${days} days (${first} to ${last})${ofThem}.`)
    })
    return 0
  },
}

const options = {
  view: { type: 'string' },
  currency: { type: 'string' },
  timezone: { type: 'string' },
  name: { type: 'string' },
  advertiser: { type: 'string' },
  property: { type: 'string' },
} as const

async function imported(db: Db, view: string, { path, now }: { path: string; now: Date }) {
  try {
    return await importArchive(db, view, { file: createReadStream(path), now })
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error
    const unlisted = error.count - error.problems.length
    throw new CommandProblem(
      [
        'nothing was archived.',
        ...error.message.split('\n'),
        ...(unlisted > 0 ? [`and ${unlisted} more lines`] : []),
      ].join('\n  '),
    )
  }
}

/** A view of which nothing exists but its archive. */
function accountOf(
  view: string,
  values: { [option in keyof typeof options]?: string | undefined },
): PlatformAccount {
  const { currency, timezone, property } = values
  if (currency === undefined || timezone === undefined)
    throw new CommandProblem(
      `no shared login has access to view ${view}: add its currency and time zone, such as --currency TWD --timezone Asia/Taipei`,
    )
  if (!/^[A-Z]{3}$/.test(currency)) throw new CommandProblem(`"${currency}" is not a currency such as TWD`)
  if (!isTimeZone(timezone)) throw new CommandProblem(`"${timezone}" is not a time zone such as Asia/Taipei`)
  const [, account_id] = /^UA-(\d+)-\d+$/.exec(property ?? '') ?? []
  if (property !== undefined && account_id === undefined)
    throw new CommandProblem(`"${property}" is not a property such as UA-54516992-1`)
  const account_name = values.advertiser ?? account_id ?? view
  return {
    provider: 'universal_analytics',
    external_id: view,
    name: values.name ?? view,
    currency,
    timezone,
    status: 'enabled',
    owner_name: values.advertiser ?? null,
    via: null,
    analytics:
      property === undefined || account_id === undefined
        ? null
        : { account_id, account_name, property_id: property, property_name: property },
  }
}
