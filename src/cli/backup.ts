import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Config } from '#server/config.ts'
import { backup, type Manifest } from '#server/db/backup.ts'
import { CommandProblem, configOfProcess, withServer, type Command } from './command.ts'

export const command: Command = {
  usage: 'backup FILE.tar.gz',
  summary: 'Writes a consistent backup of all data to a file. Sheetcast can keep running.',
  async run(args) {
    const file = onlyFile(args)
    const manifest = await withServer('backup', url => backup(url, file, new Date()))
    console.log(`Wrote ${file}: ${sizeOf(manifest)}.${whereFilesAre(manifest, configOfProcess())}`)
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

/** Content of images and files is not in the database; empty where there is none. */
function whereFilesAre(
  { tables }: Manifest,
  { data_dir, files_s3_bucket }: Pick<Config, 'data_dir' | 'files_s3_bucket'>,
): string {
  if (!tables.some(({ name, rows }) => name === 'blob' && rows > 0)) return ''
  const place = files_s3_bucket === null ? join(data_dir, 'files') : `the bucket ${files_s3_bucket}`
  return `\nImages and files are not in it, they are in ${place}: back that up too, after this and within a day.`
}
