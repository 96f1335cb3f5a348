import { parseArgs } from 'node:util'
import { backup, type Manifest } from '#server/db/backup.ts'
import { CommandProblem, withServer, type Command } from './command.ts'

export const command: Command = {
  usage: 'backup FILE.tar.gz',
  summary: 'Writes a consistent backup of all data to a file. Sheetcast can keep running.',
  async run(args) {
    const file = onlyFile(args)
    const manifest = await withServer('backup', url => backup(url, file, new Date()))
    console.log(`Wrote ${file}: ${sizeOf(manifest)}.`)
    return 0
  },
}

function onlyFile(args: string[]) {
  const [file, ...more] = parseArgs({ args, allowPositionals: true }).positionals
  if (!file || more.length > 0) throw new CommandProblem(`name one file: sheetcast ${command.usage}`)
  return file
}

/** "23 tables, 1234 rows" */
export const sizeOf = ({ tables }: Manifest) =>
  `${tables.length} tables, ${tables.reduce((sum, { rows }) => sum + rows, 0)} rows`
