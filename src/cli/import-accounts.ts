import { errorText } from '#shared/error-texts.ts'
import { errorsEn } from '#shared/errors-en.ts'
import { platformFacts, platforms, type Platform } from '#shared/platforms.ts'
import { PlatformFailure, type Source } from '#server/connectors/connector.ts'
import { discoverAccounts } from '#server/resources/ad-accounts/import.ts'
import type { Command } from './command.ts'
import { joinOrStart } from './product.ts'
import { saveAccounts } from '#server/resources/ad-accounts/queries.ts'

export const command: Command = {
  usage: 'import-accounts',
  summary: 'Imports the accounts of every connected platform, so that reports can use them.',
  async run() {
    const product = await joinOrStart('import-accounts')
    try {
      let code = 0
      for (const platform of Object.keys(platforms).filter(isPlatform))
        if (!(await importOf(platform, product))) code = 1
      return code
    } finally {
      await product.stop()
    }
  },
}

type Product = Awaited<ReturnType<typeof joinOrStart>>

/** By the login of the environment, then by each shared one; false when one of them failed. */
async function importOf(platform: Platform, { db, platforms: at_hand }: Product): Promise<boolean> {
  const { names } = platformFacts(platform)
  const shared = await db
    .selectFrom('public_account')
    .select(['id', 'name'])
    .where('platform', '=', platform)
    .execute()
  const environment = at_hand.sources.ofEnvironment(platform)
  if (shared.length === 0 && !environment) console.log(`${names.en}: not connected`)
  const logins = [
    ...(environment ? [{ id: null, name: 'environment', open: async () => environment }] : []),
    ...shared.map(({ id, name }) => ({
      id,
      name,
      open: async () => (await at_hand.sources.ofLogin(id))?.source ?? null,
    })),
  ]
  let isDone = true
  for (const { id, name, open } of logins) {
    const outcome = await importBy({ public_account: id, open }, { db, at_hand }).catch(error => {
      // The other logins do not have to wait until this one is fixed.
      if (!(error instanceof PlatformFailure)) throw error
      isDone = false
      return errorText(errorsEn, error.code, 'internal')
    })
    console.log(`${names.en} (${name}): ${outcome}`)
  }
  return isDone
}

async function importBy(
  { public_account, open }: { public_account: number | null; open: () => Promise<Source | null> },
  { db, at_hand }: { db: Product['db']; at_hand: Product['platforms'] },
): Promise<string> {
  const source = await open()
  if (!source) throw new PlatformFailure('credential_missing')
  const accounts = await discoverAccounts(source, at_hand)
  const added = await db
    .transaction()
    .execute(trx => saveAccounts(trx, accounts, { public_account, now: new Date() }))
  return `${accounts.length} accounts, ${added} new`
}

const isPlatform = (name: string): name is Platform => Object.hasOwn(platforms, name)
