import { migrate } from '#server/db/migrate.ts'
import { resetSecondFactor } from '#server/resources/second-factor/reset.ts'
import { findByUsername } from '#server/resources/session/queries.ts'
import { CommandProblem, withDatabase, type Command } from './command.ts'

export const command: Command = {
  usage: 'reset-second-factor USERNAME',
  summary: 'Turns off two-step sign-in for somebody who has lost their phone and recovery codes.',
  async run(args) {
    const [username, ...more] = args
    if (!username || username.startsWith('-') || more.length > 0)
      throw new CommandProblem(`name one account: sheetcast ${command.usage}`)
    await withDatabase('reset-second-factor', async ({ db, url }) => {
      await migrate(url, { log: console.error })
      const user = await findByUsername(db, username)
      if (!user) throw new CommandProblem(`there is no account ${username}; nothing was changed`)
      const wasOn = await db
        .transaction()
        .execute(trx => resetSecondFactor(trx, user.id, { actor: null, now: new Date() }))
      if (!wasOn) throw new CommandProblem(`two-step sign-in is off for ${username}; nothing was changed`)
    })
    console.log(`Two-step sign-in is off for ${username}, who was signed out everywhere.`)
    return 0
  },
}
