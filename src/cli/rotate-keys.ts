import { migrate } from '#server/db/migrate.ts'
import { resealMembers } from '#server/resources/audiences/reseal.ts'
import { resealApps } from '#server/resources/public-accounts/apps.ts'
import { resealLogins } from '#server/resources/public-accounts/logins.ts'
import { resealSecondFactors } from '#server/resources/second-factor/secrets.ts'
import { openVault } from '#server/vault.ts'
import { CommandProblem, configOfProcess, withDatabase, type Command } from './command.ts'

export const command: Command = {
  usage: 'rotate-keys',
  summary:
    'Encrypts all shared logins, apps, second factors and audience rows again with the first of CREDENTIAL_KEYS. Can be repeated.',
  async run() {
    const vault = openVault(configOfProcess())
    const { logins, apps, factors, members } = await withDatabase('rotate-keys', async ({ db, url }) => {
      await migrate(url, { log: console.error })
      return {
        logins: await resealLogins(db, vault),
        apps: await resealApps(db, vault),
        factors: await resealSecondFactors(db, vault),
        members: await resealMembers(db, vault),
      }
    })
    const { shut } = logins
    const { unreadable } = factors
    console.log(
      `${countOf(logins.sealed, 'login')} encrypted again, ${logins.already} had the first key already.`,
    )
    console.log(`${countOf(apps.sealed, 'app')} encrypted again, ${apps.already} had the first key already.`)
    console.log(
      `${countOf(factors.sealed, 'second factor')} encrypted again, ${factors.already} had the first key already.`,
    )
    console.log(
      `${countOf(members.sealed, 'chunk')} of audience rows encrypted again, ${members.already} had the first key already.`,
    )
    const problems = [
      ...(shut.length > 0
        ? [`none of the keys opens ${countOf(shut.length, 'login')}: ${shut.join(', ')}`]
        : []),
      ...(apps.shut.length > 0 ? [`none of the keys opens the app of ${apps.shut.join(', ')}`] : []),
      ...(unreadable.length > 0
        ? [
            `none of the keys opens ${countOf(unreadable.length, 'second factor')}, of ${unreadable.join(', ')}`,
          ]
        : []),
      ...(members.unreadable > 0
        ? [`none of the keys opens ${countOf(members.unreadable, 'chunk')} of audience rows`]
        : []),
    ]
    if (problems.length > 0)
      throw new CommandProblem(
        `${problems.join('; ')}. Add the key that is missing to CREDENTIAL_KEYS, or enter the logins again, reset the second factors and upload the lists again`,
      )
    return 0
  },
}

const countOf = (count: number, what: string) => (count === 1 ? `1 ${what}` : `${count} ${what}s`)
