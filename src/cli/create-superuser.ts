import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { CreateUser } from '#shared/api/people.ts'
import { migrate } from '#server/db/migrate.ts'
import { insertSuperuser } from '#server/resources/people/queries.ts'
import { hashPassword } from '#server/resources/session/passwords.ts'
import { whyNotNewPassword } from '#server/resources/session/new-password.ts'
import { CommandProblem, withDatabase, type Command } from './command.ts'

export const command: Command = {
  usage: 'create-superuser USERNAME [--email ADDRESS] [--name "FULL NAME"]',
  summary: 'Creates a superuser. Asks for the password, or reads it from a pipe.',
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { email: { type: 'string' }, name: { type: 'string' } },
    })
    const [nameArgument, ...more] = positionals
    if (!nameArgument || more.length > 0)
      throw new CommandProblem(`name one account: sheetcast ${command.usage}`)
    const { data: username, error } = CreateUser.shape.username.safeParse(nameArgument)
    if (error) throw new CommandProblem(`the name ${error.issues[0]?.message}; nothing was changed`)
    const password = await askPassword()
    await withDatabase('create-superuser', async ({ db, url }) => {
      await migrate(url, { log: console.error })
      const person = { username, full_name: values.name ?? '', email: values.email ?? null }
      const weakness = await whyNotNewPassword(db, password, person)
      if (weakness) throw new CommandProblem(`${weaknesses[weakness] ?? weakness}; no account was created`)
      const isNew = await insertSuperuser(db, { ...person, password_hash: await hashPassword(password) })
      if (!isNew) throw new CommandProblem(`there is already an account ${username}; nothing was changed`)
    })
    console.log(`${username} can sign in.`)
    return 0
  },
}

const weaknesses: Record<string, string> = {
  password_too_short: 'the password has fewer than 12 characters',
  password_too_common: 'the password is one that many people use',
}

/** Typed twice without an echo; from a pipe, its first line. */
async function askPassword() {
  const typed = process.stdin.isTTY === true
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: typed })
  try {
    if (!typed) return (await lines[Symbol.asyncIterator]().next()).value ?? ''
    const ask = async (prompt: string) => {
      process.stderr.write(prompt)
      const line = await lines.question('')
      process.stderr.write('\n')
      return line
    }
    const password = await ask('Password: ')
    if (password !== (await ask('Again: ')))
      throw new CommandProblem('the passwords do not match; nothing was changed')
    return password
  } finally {
    lines.close()
  }
}
