import type { Config } from './config.ts'
import type { Db, OpenDatabase } from './db/connect.ts'
import { sheetsLimiter } from './admission/sheets-limiter.ts'
import { spreadsheetPeople, type SpreadsheetPerson } from './resources/public-accounts/spreadsheet-people.ts'
import { sheetsClient } from './sheets/client.ts'
import type { SystemUser } from './sheets/system-user.ts'
import type { Vault } from './vault.ts'

/** People who have connected to Google for spreadsheets: system users beside the service accounts. */
export interface ConnectedUsers {
  /** As of the last refresh. */
  current(): readonly SystemUser[]
  /** Reads from the database who they are now. */
  refresh(): Promise<void>
}

/** Every process reads them so often: a person who connects can be shared with within a minute. */
export const REFRESHED_EVERY_MS = 20_000

export function openConnectedUsers(
  config: Config,
  { db, now, vault }: Pick<OpenDatabase, 'db' | 'now'> & { vault: Vault },
  pause: (ms: number) => Promise<void>,
): ConnectedUsers {
  let known = new Map<string, SystemUser>()
  const open = (person: SpreadsheetPerson, sharers: number): SystemUser => {
    const client = sheetsClient({ ...config, key: person, now })
    const { system_user, project } = client
    return {
      client,
      limiter: limiterFor(db, { config, system_user, project, sharers, pause }),
    }
  }
  return {
    current: () => [...known.values()],
    async refresh() {
      const people = await spreadsheetPeople(db, vault)
      const of = ({ client_id }: SpreadsheetPerson) => people.filter(each => each.client_id === client_id)
      // The same object for as long as nothing about the person changes: a run compares system users.
      known = new Map(
        people.map(person => {
          const sharers = of(person).length
          const key = JSON.stringify([person, sharers])
          return [key, known.get(key) ?? open(person, sharers)]
        }),
      )
    },
  }
}

function limiterFor(
  db: Db,
  {
    config,
    pause,
    ...facts
  }: {
    config: Config
    system_user: string
    project: string
    sharers: number
    pause: (ms: number) => Promise<void>
  },
) {
  const settings = {
    ...facts,
    per_user: config.sheets_requests_per_minute_user,
    per_project: config.sheets_requests_per_minute_project,
  }
  return sheetsLimiter(db, settings, pause)
}
