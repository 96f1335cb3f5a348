import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '#server/config.ts'
import type { Vault } from '#server/vault.ts'
import { diskStore, TEMPORARY } from './disk-store.ts'
import { openPictures, type Pictures } from './pictures.ts'
import { s3Store } from './s3-store.ts'
import { createScan, type ScanFile } from './scan.ts'
import { createSignedLinks, type SignedLinks } from './signed-links.ts'
import type { FileStore } from './store.ts'
import { openTemporary, type Temporary } from './temporary.ts'

type FileSettings = Pick<Config, 'data_dir' | Extract<keyof Config, `files_${string}`>>

/** Where files are stored, and what comes with it, as the settings say. */
export function openFiles(
  settings: FileSettings,
  { vault, log, stopping }: { vault: Vault; log: Logger; stopping: AbortSignal },
): { store: FileStore; temporary: Temporary; links: SignedLinks; scan: ScanFile; pictures: Pictures } {
  const folder = join(settings.data_dir, 'files')
  const { files_scan_command: command } = settings
  return {
    store: s3Of(settings) ?? diskStore(folder),
    temporary: openTemporary(join(folder, TEMPORARY)),
    links: createSignedLinks(vault),
    scan: command === null ? async () => null : createScan({ command, log, stopping }),
    pictures: openPictures(),
  }
}

function s3Of(settings: FileSettings): FileStore | null {
  const {
    files_s3_bucket: bucket,
    files_s3_endpoint: endpoint,
    files_s3_region: region,
    files_s3_access_key: access_key,
    files_s3_secret_key: secret_key,
    files_s3_prefix: prefix,
  } = settings
  if (bucket === null || access_key === null || secret_key === null) return null
  return s3Store({ bucket, endpoint, region, access_key, secret_key, prefix })
}
