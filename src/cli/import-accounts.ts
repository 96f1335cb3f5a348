import { platformFacts, platforms, type Platform } from '#shared/platforms.ts'
import { discoverAccounts, saveAccounts } from '#server/resources/ad-accounts/import.ts'
import type { Command } from './command.ts'
import { joinOrStart } from './product.ts'

export const command: Command = {
  usage: 'import-accounts',
  summary:
    'Asks each connected platform for its accounts and keeps them, so that reports can be made of them.',
  async run() {
    const product = await joinOrStart('import-accounts')
    try {
      for (const platform of Object.keys(platforms).filter(isPlatform)) await importOf(platform, product)
      return 0
    } finally {
      await product.stop()
    }
  },
}

type Product = Awaited<ReturnType<typeof joinOrStart>>

/** By the login of the environment, then by each shared one. */
async function importOf(platform: Platform, { db, platforms: at_hand }: Product) {
  const { names } = platformFacts(platform)
  const shared = await db
    .selectFrom('public_account')
    .select(['id', 'name'])
    .where('platform', '=', platform)
    .execute()
  const logins = [
    { public_account: null, name: 'environment', source: at_hand.sources.ofEnvironment(platform) },
    ...(await Promise.all(
      shared.map(async ({ id, name }) => ({
        public_account: id,
        name,
        source: (await at_hand.sources.ofLogin(id))?.source ?? null,
      })),
    )),
  ]
  const connected = logins.filter(login => login.source !== null)
  if (connected.length === 0) console.log(`${names.en}: not connected`)
  for (const { public_account, name, source } of connected) {
    if (!source) continue
    const accounts = await discoverAccounts(source, at_hand)
    await db.transaction().execute(trx => saveAccounts(trx, accounts, { public_account, now: new Date() }))
    console.log(`${names.en} (${name}): ${accounts.length} accounts`)
  }
}

const isPlatform = (name: string): name is Platform => Object.hasOwn(platforms, name)
