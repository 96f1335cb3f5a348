import { migrate } from '#server/db/migrate.ts'
import { resealLogins } from '#server/resources/public-accounts/logins.ts'
import { openVault } from '#server/vault.ts'
import { CommandProblem, configOfProcess, withDatabase, type Command } from './command.ts'

export const command: Command = {
  usage: 'rotate-keys',
  summary: 'Seals every login of a platform anew with the first of CREDENTIAL_KEYS. Can be repeated.',
  async run() {
    const vault = openVault(configOfProcess())
    const { sealed, already, shut } = await withDatabase('rotate-keys', async ({ db, url }) => {
      await migrate(url, { log: console.error })
      return await resealLogins(db, vault)
    })
    console.log(`${logins(sealed)} sealed anew, ${already} had the first key already.`)
    if (shut.length > 0)
      throw new CommandProblem(
        `none of the keys opens ${logins(shut.length)}: ${shut.join(', ')}. Add the key that is missing to CREDENTIAL_KEYS, or enter them again`,
      )
    return 0
  },
}

const logins = (count: number) => (count === 1 ? '1 login' : `${count} logins`)
