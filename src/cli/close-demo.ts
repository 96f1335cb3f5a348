import { migrate } from '#server/db/migrate.ts'
import { closeDemo } from '#server/demo/close-demo.ts'
import { openVault } from '#server/vault.ts'
import { configOfProcess, withDatabase, type Command } from './command.ts'

export const command: Command = {
  usage: 'close-demo',
  summary:
    'Closes the accounts of the demo, deletes its shared logins and ends its schedules. Can be repeated.',
  async run() {
    const config = configOfProcess()
    const vault = openVault(config)
    const closed = await withDatabase('close-demo', async ({ db, url, now }) => {
      await migrate(url, { log: console.error })
      return await closeDemo(db, { vault, config, now: now() })
    })
    const { people, logins, sealed, schedules, bindings } = closed
    if (people.length + logins.length + schedules + bindings === 0)
      console.log('No account of the demo is open.')
    else {
      const names = (all: readonly string[]) => (all.length > 0 ? `: ${all.join(', ')}` : '')
      console.log(`Closed accounts: ${people.length}${names(people)}.`)
      console.log(`Shared logins deleted: ${logins.length}${names(logins)}.`)
      console.log(`Schedules ended: ${schedules}. Spreadsheets released: ${bindings}.`)
      console.log('Reports and folders stay. A superuser can transfer them.')
    }
    if (sealed.length > 0)
      console.log(
        `None of the keys opens these shared logins; remove them under Public accounts if they are the demo's: ${sealed.join(', ')}.`,
      )
    if (!closed.has_superuser)
      console.log('No superuser is left: create one with "sheetcast create-superuser NAME".')
    return 0
  },
}
