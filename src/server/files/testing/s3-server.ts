import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll } from 'vitest'
import type { S3Settings } from '#server/files/s3-store.ts'

const BUCKET = 'sheetcast-files'

/** How a server of S3 is reached (s3-program.ts), which ends with the tests of the file. */
export async function s3Server(mode: 'strict' | 'lenient'): Promise<S3Settings> {
  const folder = mkdtempSync(join(tmpdir(), 's3-'))
  const program = join(import.meta.dirname, 's3-program.ts')
  // It continues lists with a cipher that OpenSSL has retired.
  const args = ['--openssl-legacy-provider', program, folder, BUCKET, mode]
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  afterAll(async () => {
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true })
  })
  const [port] = await once(createInterface(server.stdout), 'line')
  return {
    bucket: BUCKET,
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    access_key: 'S3RVER',
    secret_key: 'S3RVER',
    prefix: 'sheetcast/',
  }
}
