import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openMailbox } from './mailbox/mailbox.ts'
import { openMemory } from './memory.ts'
import { createGrants } from './oauth/grants.ts'
import { systemUsers } from './oauth/key-pair.ts'
import { type Sandbox, startSandbox } from './sandbox.ts'
import { mountSpreadsheets } from './spreadsheets.ts'

/**
 * All platforms, the spreadsheet service and the mailbox, on the data in this folder. Rejects with EADDRINUSE
 * when the port is taken.
 */
export async function openSandbox({
  dir,
  system_users,
  ...position
}: {
  /** Where spreadsheets, mails, audiences and the system users' key files are stored. */
  dir: string
  /** How many system users the spreadsheet service knows, 1 to 20. */
  system_users: number
  host?: string
  /** 0 for any that is free. */
  port: number
}): Promise<Sandbox> {
  mkdirSync(dir, { recursive: true })
  const mailbox = await openMailbox(dir, () => new Date())
  return await startSandbox({
    ...position,
    grants: createGrants(join(dir, 'grants.json')),
    memory: openMemory(join(dir, 'platforms.json')),
    mount: shared => [mountSpreadsheets(dir, shared, systemUsers(system_users)), mailbox],
  })
}
