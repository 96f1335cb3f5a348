import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Config } from './config.ts'
import type { OpenDatabase } from './db/connect.ts'
import { codeOf } from './db/problem.ts'
import { sheetsLimiter } from './admission/sheets-limiter.ts'
import { sheetsClient } from './sheets/client.ts'
import { ServiceAccountKey } from './sheets/schema.ts'
import type { SystemUser } from './sheets/system-user.ts'
import { StartProblem } from './start-problem.ts'

/**
 * The service accounts of the configuration, each with its quota; those of one project share the project's.
 */
export function openSystemUsers(
  config: Config,
  { db, now }: Pick<OpenDatabase, 'db' | 'now'>,
  pause: (ms: number) => Promise<void>,
): readonly SystemUser[] {
  const clients = readKeys(config.google_service_account_file ?? []).map(key =>
    sheetsClient({ ...config, key, now }),
  )
  return clients.map(client => {
    const { system_user, project } = client
    const settings = {
      system_user,
      project,
      sharers: clients.filter(one => one.project === project).length,
      per_user: config.sheets_requests_per_minute_user,
      per_project: config.sheets_requests_per_minute_project,
    }
    return { client, limiter: sheetsLimiter(db, settings, pause) }
  })
}

/** All problems of the files are reported at once. */
function readKeys(files: readonly string[]): ServiceAccountKey[] {
  if (files.length === 0) throw new StartProblem('GOOGLE_SERVICE_ACCOUNT_FILE is missing')
  const keys: ServiceAccountKey[] = []
  const problems: string[] = []
  for (const file of files) {
    const read = readKey(file)
    if (typeof read === 'string') problems.push(`${file} ${read}`)
    else if (keys.some(({ client_email }) => client_email === read.client_email))
      problems.push(`${file} is of ${read.client_email}, which another file is of, too`)
    else keys.push(read)
  }
  if (problems.length > 0) throw new StartProblem(`GOOGLE_SERVICE_ACCOUNT_FILE: ${problems.join('; ')}`)
  return keys
}

/** The key, or its problem; never the content of the file. */
function readKey(file: string): ServiceAccountKey | string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    return `cannot be read (${codeOf(error) ?? 'unknown'})`
  }
  try {
    const key = ServiceAccountKey.parse(JSON.parse(text))
    createPrivateKey(key.private_key)
    return key
  } catch {
    return 'is not the key file of a service account: make one in the Google Cloud console as JSON, and do not change it'
  }
}
