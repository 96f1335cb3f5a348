import { parseArgs } from 'node:util'
import { restore } from '#server/db/restore.ts'
import { sizeOf } from './backup.ts'
import { CommandProblem, withServer, type Command } from './command.ts'

export const command: Command = {
  usage: 'restore FILE.tar.gz [--force]',
  summary:
    'Restores a backup into an empty database, or with --force over existing data. Stop Sheetcast first.',
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { force: { type: 'boolean' } },
    })
    const [file, ...more] = positionals
    if (!file || more.length > 0) throw new CommandProblem(`name one file: sheetcast ${command.usage}`)
    const force = values.force ?? false
    const manifest = await withServer('restore', url => restore(url, file, { force, log: console.error }))
    console.log(`Restored ${file} of ${manifest.made_at}: ${sizeOf(manifest)}.`)
    return 0
  },
}
