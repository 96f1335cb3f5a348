import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '#server/config.ts'
import type { Vault } from '#server/vault.ts'
import { diskStore, TEMPORARY } from './disk-store.ts'
import { createScan, type ScanFile } from './scan.ts'
import { createSignedLinks, type SignedLinks } from './signed-links.ts'
import type { FileStore } from './store.ts'
import { openTemporary, type Temporary } from './temporary.ts'

/** Where files are stored, and what comes with it, as the settings say. */
export function openFiles(
  { data_dir, files_scan_command: command }: Pick<Config, 'data_dir' | 'files_scan_command'>,
  { vault, log, stopping }: { vault: Vault; log: Logger; stopping: AbortSignal },
): { store: FileStore; temporary: Temporary; links: SignedLinks; scan: ScanFile } {
  const folder = join(data_dir, 'files')
  return {
    store: diskStore(folder),
    temporary: openTemporary(join(folder, TEMPORARY)),
    links: createSignedLinks(vault),
    scan: command === null ? async () => null : createScan({ command, log, stopping }),
  }
}
