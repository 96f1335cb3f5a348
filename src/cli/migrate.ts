import { parseArgs } from 'node:util'
import { migrate } from '#server/db/migrate.ts'
import { withServer, type Command } from './command.ts'

export const command: Command = {
  usage: 'migrate [--resume]',
  summary: 'Migrates the database to this version. serve and worker do so automatically.',
  async run(args) {
    const { values } = parseArgs({ args, options: { resume: { type: 'boolean' } } })
    const applied = await withServer('migrate', url => migrate(url, { resume: values.resume ?? false }))
    console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The database is up to date.')
    return 0
  },
}
