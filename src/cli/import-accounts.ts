import { channelIds, catalogueOf } from '#shared/channels/all.ts'
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
      for (const channel of channelIds) {
        const connection = product.platforms.connectionOf(channel)
        const { names } = catalogueOf(channel)
        if (!connection) {
          console.log(`${names.en}: not connected`)
          continue
        }
        const { connectors, fetch, quota } = product.platforms
        const accounts = await discoverAccounts(connectors[channel], { ...connection, fetch, quota })
        await product.db.transaction().execute(trx => saveAccounts(trx, accounts, new Date()))
        console.log(`${names.en}: ${accounts.length} accounts`)
      }
      return 0
    } finally {
      await product.stop()
    }
  },
}
