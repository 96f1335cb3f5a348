import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { connect } from '#server/db/connect.ts'
import { storeBlobs } from '#server/files/blob-queries.ts'
import { diskStore, TEMPORARY } from '#server/files/disk-store.ts'
import { openTemporary } from '#server/files/temporary.ts'
import { insertFile, temporaryFile } from './materials.ts'

/**
 * Uploads one file after the other until it is killed, and writes the hash of each before the first step and
 * after each further one.
 */
const [, , url = '', folder = ''] = process.argv
const { db } = await connect(url, { command: 'test' })
const store = diskStore(folder)
const temporary = openTemporary(join(folder, TEMPORARY))

for (;;) {
  const blob = await temporaryFile(temporary, randomBytes(10_000))
  console.log('written', blob.sha256)
  await storeBlobs(db, { store, blobs: [blob], now: new Date() })
  console.log('stored', blob.sha256)
  await insertFile(db, blob)
  console.log('named', blob.sha256)
}
