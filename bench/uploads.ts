import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { createTokens } from '#server/http/tokens.ts'
import { startFamily } from '#server/resources/session/queries.ts'
import { median } from '#server/testing/quantile.ts'
import { serverOver } from './api.ts'
import type { BenchTable } from './case.ts'
import { startDatabase } from './database.ts'

// Pictures and files over HTTP until their rows are there, beside the least that has to be done with them.

const ROUNDS = 7
const MIB = 1024 * 1024
const MOST_MS = 1500

export const tables: BenchTable[] = [
  {
    id: 'P21',
    what: 'an image of 5 MiB with previews, over HTTP until it is stored (≤ 1.5 s), beside its previews by sharp alone',
    measure: () => withUploads(measurePictures),
  },
  {
    id: 'P21',
    what: 'a file of 50 MiB over HTTP until it is stored, beside hashing and writing the same bytes',
    measure: () => withUploads(measureFile),
  },
]

type Send = (path: string, bytes: Uint8Array) => Promise<void>

async function measurePictures(send: Send) {
  const rows: Record<string, string>[] = []
  for (const [what, make] of Object.entries(pictures)) {
    const bytes = await make()
    const [ours, floor]: [number[], number[]] = [[], []]
    const processor: number[] = []
    // The first one loads the library and is not counted.
    await send('/api/image/', different(bytes))
    for (let round = 0; round < ROUNDS; round += 1) {
      floor.push(await timed(() => previews(bytes)))
      const before = process.cpuUsage()
      ours.push(await timed(() => send('/api/image/', different(bytes))))
      const { user, system } = process.cpuUsage(before)
      processor.push((user + system) / 1000)
    }
    const mark = median(ours) > MOST_MS ? ' (!)' : ''
    rows.push({
      picture: what,
      size: `${(bytes.length / MIB).toFixed(1)} MiB`,
      median: `${milliseconds(median(ours))}${mark}`,
      // With all threads, and those of the client: the same on a machine that is busy.
      processor: milliseconds(median(processor)),
      previews: milliseconds(median(floor)),
      ratio: (median(ours) / median(floor)).toFixed(2),
    })
  }
  return rows
}

async function measureFile(send: Send, folder: string) {
  const bytes = randomBytes(50 * MIB)
  const [ours, floor]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    floor.push(
      await timed(async () => {
        createHash('sha256').update(bytes).digest()
        await writeFile(join(folder, `floor-${round}`), bytes, { flush: true })
      }),
    )
    bytes[bytes.length - 1] = round
    ours.push(await timed(() => send('/api/file/', bytes)))
  }
  return [
    {
      file: '50 MiB',
      median: milliseconds(median(ours)),
      'hash, write, flush': milliseconds(median(floor)),
      ratio: (median(ours) / median(floor)).toFixed(2),
    },
  ]
}

/** As large as may be uploaded, or nearly; noise, which is the worst for every type. */
const pictures: Record<string, () => Promise<Buffer>> = {
  'JPEG, 12 megapixels': () => noise(4000, 3000, 20).jpeg({ quality: 85 }).toBuffer(),
  'the same on its side': () =>
    noise(4000, 3000, 20).jpeg({ quality: 85 }).withMetadata({ orientation: 6 }).toBuffer(),
  'PNG, 1.7 megapixels': () => noise(1450, 1200, 40).png().toBuffer(),
  'PNG, 50 megapixels of one colour': () => noise(8160, 6120, 0).png().toBuffer(),
  'WebP, 12 megapixels': () => noise(4000, 3000, 21).webp({ quality: 85 }).toBuffer(),
  'GIF, 3.7 megapixels': () => noise(2200, 1680, 40).gif().toBuffer(),
}

const noise = (width: number, height: number, sigma: number): Sharp =>
  sigma === 0
    ? sharp({ create: { width, height, channels: 3, background: '#123456' } })
    : sharp({
        create: {
          width,
          height,
          channels: 3,
          background: '#888',
          noise: { type: 'gaussian', mean: 128, sigma },
        },
      })

/** What is behind the end of a picture is not stored, and makes it another upload. */
const different = (bytes: Uint8Array) => Buffer.concat([bytes, randomBytes(8)])

async function previews(bytes: Uint8Array) {
  for (const side of [320, 1280])
    await sharp(bytes)
      .autoOrient()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer()
}

async function withUploads<Result>(
  measure: (send: Send, folder: string) => Promise<Result>,
): Promise<Result> {
  const { db, stop } = await startDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'bench-uploads-'))
  const { id: user } = await db
    .insertInto('users')
    .values({ username: 'staff', identity: 'director', user_type: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const key = randomBytes(32)
  const app = await serverOver(db, key, { files_dir: join(folder, 'files') })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const session = { now: new Date(), session_days: 30, address: null, user_agent: null }
  const claims = await db.transaction().execute(trx => startFamily(trx, user, session))
  const authorization = `Bearer ${await createTokens(key).signAccess(claims, new Date())}`
  try {
    return await measure(async (path, bytes) => {
      const body = new FormData()
      body.append('file', new File([new Uint8Array(bytes)], 'x.bin'))
      const response = await fetch(origin + path, { method: 'POST', headers: { authorization }, body })
      if (response.status !== 201) throw new Error(await response.text())
      await response.arrayBuffer()
    }, folder)
  } finally {
    await app.close()
    await stop()
    await rm(folder, { recursive: true })
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const milliseconds = (ms: number) => `${ms.toFixed(0)} ms`
