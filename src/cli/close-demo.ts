import { migrate } from '#server/db/migrate.ts'
import { closeDemo } from '#server/demo/close-demo.ts'
import { openVault } from '#server/vault.ts'
import { configOfProcess, withDatabase, type Command } from './command.ts'

export const command: Command = {
  usage: 'close-demo',
  summary:
    'Closes the accounts of the demo, takes away its logins at the emulated platforms and ends its schedules. Can be repeated.',
  async run() {
    const config = configOfProcess()
    const vault = openVault(config)
    const closed = await withDatabase('close-demo', async ({ db, url, now }) => {
      await migrate(url, { log: console.error })
      return await closeDemo(db, { vault, config, now: now() })
    })
    const { people, logins, sealed, schedules, bindings } = closed
    if (people.length + logins.length + schedules + bindings === 0)
      console.log('Nothing of the demo is open.')
    else {
      const names = (all: readonly string[]) => (all.length > 0 ? `: ${all.join(', ')}` : '')
      console.log(`Closed accounts: ${people.length}${names(people)}.`)
      console.log(`Shared logins taken away: ${logins.length}${names(logins)}.`)
      console.log(`Schedules ended: ${schedules}. Spreadsheets released: ${bindings}.`)
      console.log('Reports and folders stay; a superuser may hand them over.')
    }
    if (sealed.length > 0)
      console.log(
        `None of the keys opens these shared logins; remove them under Public accounts if they are the demo's: ${sealed.join(', ')}.`,
      )
    if (!closed.has_superuser)
      console.log('Nobody is left who keeps accounts: "sheetcast create-superuser NAME" makes one.')
    return 0
  },
}
