import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { build } from 'vite'
import { PAGE_POLICY, WORKER_POLICY } from '#server/http/headers.ts'
import { median } from '#server/testing/quantile.ts'
import { openBrowser } from '../e2e/browser.ts'
import type { BenchTable } from './case.ts'

// A list of people, hashed by the interface's own thread in a real Chromium under the policies that are
// shipped, beside the digests of the browser alone.

const ROUNDS = 3
const ROWS = 1_000_000
/** The floor takes ten times as long for each row. */
const FLOOR_ROWS = 100_000
const CACHE = join(import.meta.dirname, '../node_modules/.cache')
const HASHER = join(import.meta.dirname, '../src/web/pages/audiences/hashing/hasher.ts')

export const tables: BenchTable[] = [
  {
    id: 'P20',
    what: '1,000,000 rows of e-mail and phone, 3 hashes each (≥ 3 × WebCrypto digests alone; longest main-thread task ≤ 50 ms; ≤ 150 MB above idle)',
    measure,
  },
]

async function measure() {
  const [site, browser] = await Promise.all([serveHasher(), openBrowser()])
  const page = await browser.newPage()
  await page.goto(site.origin)
  await page.waitForFunction(() => 'floor' in globalThis)
  const rates = { floor: [] as number[], ours: [] as number[] }
  const costs = { floor: [] as number[], ours: [] as number[] }
  for (let round = 0; round < ROUNDS; round++)
    for (const [what, rows] of [
      ['floor', FLOOR_ROWS],
      ['ours', ROWS],
    ] as const) {
      const before = await processorSeconds(browser)
      rates[what].push(await page.evaluate(([name, count]) => globalThis[name](count), [what, rows] as const))
      costs[what].push(((await processorSeconds(browser)) - before) / rows)
    }
  const { longest, megabytes } = await watched(browser, page)
  await browser.close()
  await site.stop()
  const [ours, floor] = [median(rates.ours), median(rates.floor)]
  const mark = (text: string, isOver: boolean) => `${text}${isOver ? ' (!)' : ''}`
  return [
    {
      what: 'digests of WebCrypto alone',
      'rows/s': number(floor),
      ratio: '1.0',
      processor: perRow(median(costs.floor)),
    },
    {
      what: 'read, normalise, hash, drop duplicates, write batches',
      'rows/s': number(ours),
      ratio: mark((ours / floor).toFixed(1), ours < floor * 3),
      // The digests have threads of their own: on a machine that is busy they get more of it.
      processor: perRow(median(costs.ours)),
    },
    {
      what: 'the same, each batch posted',
      'longest task': mark(longest === 0 ? 'under 50 ms' : `${longest.toFixed(0)} ms`, longest > 50),
      'above idle': mark(`${megabytes.toFixed(0)} MB`, megabytes > 150),
    },
  ]
}

const perRow = (seconds: number) => `${(seconds * 1_000_000).toFixed(1)} µs a row`
const number = (figure: number) => Math.round(figure).toLocaleString('en')

declare global {
  /** Rows a second. */
  var floor: (rows: number) => Promise<number>
  var ours: (rows: number) => Promise<number>
  /** The longest task of the page's own thread, of those that a browser calls long: above 50 ms. */
  var upload: () => Promise<number>
}

/** Of the page's process, with all its threads. */
async function processorSeconds(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  return Math.max(...processInfo.filter(({ type }) => type === 'renderer').map(({ cpuTime }) => cpuTime))
}

/** Uploads while all that its process has allocated, buffers included, is looked at. */
async function watched(browser: Browser, page: Page) {
  const session = await browser.newBrowserCDPSession()
  const heaps = await heapsOf(session)
  const idle = await heaps.used()
  let most = idle
  const isOver = new AbortController()
  const watching = (async () => {
    while (!isOver.signal.aborted) {
      most = Math.max(most, await heaps.used())
      await sleep(100)
    }
  })()
  const longest = await page.evaluate(() => globalThis.upload())
  isOver.abort()
  await watching
  return { longest, megabytes: (most - idle) / 1_000_000 }
}

/** The heaps of the page and of its threads, which come and go. */
async function heapsOf(session: CDPSession) {
  const answers = new Map<number, (used: number) => void>()
  let ids = 0
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { id, result } = JSON.parse(message)
    answers.get(id)?.((result?.usedSize ?? 0) + (result?.backingStorageSize ?? 0))
  })
  const attached = new Map<string, string>()
  const used = async () => {
    const { targetInfos } = await session.send('Target.getTargets', { filter: [{}] })
    for (const { targetId, type } of targetInfos) {
      if (attached.has(targetId) || !['page', 'worker'].includes(type)) continue
      const { sessionId } = await session.send('Target.attachToTarget', { targetId, flatten: false })
      attached.set(targetId, sessionId)
    }
    const living = targetInfos.flatMap(({ targetId }) => attached.get(targetId) ?? [])
    const each = await Promise.all(
      living.map(async sessionId => {
        const id = ids++
        const { promise, resolve } = Promise.withResolvers<number>()
        answers.set(id, resolve)
        const message = JSON.stringify({ id, method: 'Runtime.getHeapUsage' })
        await session.send('Target.sendMessageToTarget', { sessionId, message }).catch(() => resolve(0))
        // A thread that is busy answers late, one that has ended never.
        return await Promise.race([promise, sleep(1000, 0)])
      }),
    )
    return each.reduce((sum, bytes) => sum + bytes, 0)
  }
  return { used }
}

const MAIN = `
import { startHasher } from ${JSON.stringify(HASHER)}
import floorAddress from './floor-worker.js?worker&url'
const reading = { has_headings: true, columns: ['email', 'phone'], country: 'TW',
  format: { encoding: 'utf-8', delimiter: ',' } }
let policy
globalThis.floor = rows => new Promise(resolve => {
  policy ??= trustedTypes.createPolicy('default', { createScriptURL: url => url })
  const worker = new Worker(policy.createScriptURL(floorAddress), { type: 'module' })
  worker.onmessage = ({ data }) => {
    worker.terminate()
    resolve((rows / data) * 1000)
  }
  worker.postMessage(rows)
})
const list = await (await fetch('/list.csv')).blob()
async function hashAll(post) {
  const hasher = startHasher()
  const began = performance.now()
  await hasher.start({ ...reading, file: list }, { session: crypto.randomUUID(), action: 'add' }, 1)
  for (let next = hasher.next(); ; ) {
    const batch = await next
    if (batch === null) break
    next = hasher.next()
    await post(batch)
  }
  hasher.close()
  return performance.now() - began
}
globalThis.ours = async rows => (rows / (await hashAll(() => {}))) * 1000
globalThis.upload = async () => {
  let longest = 0
  new PerformanceObserver(list => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
  }).observe({ type: 'longtask' })
  await hashAll(({ body }) =>
    fetch('/members', { method: 'POST', body: new Blob([body], { type: 'application/json' }) }))
  return longest
}
`
const FLOOR = `
const encoder = new TextEncoder()
const digest = text => crypto.subtle.digest('SHA-256', encoder.encode(text))
onmessage = async ({ data: rows }) => {
  const began = performance.now()
  for (let at = 0; at < rows; at++)
    await Promise.all(['person.' + at + '@mail.demo', '8869' + at, '+8869' + at].map(digest))
  postMessage(performance.now() - began)
}
`

async function serveHasher() {
  await mkdir(CACHE, { recursive: true })
  const folder = await mkdtemp(join(CACHE, 'bench-hashing-'))
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><title>Hashing</title><script type="module" src="./main.js"></script>',
  )
  await writeFile(join(folder, 'main.js'), MAIN)
  await writeFile(join(folder, 'floor-worker.js'), FLOOR)
  const dist = join(folder, 'dist')
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    build: { outDir: dist, target: 'es2023', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
    worker: { format: 'es', rolldownOptions: { output: { codeSplitting: false } } },
  })
  const list = Buffer.from(listOf(ROWS))
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '')
    if (request.method === 'POST') return void request.resume().on('end', () => response.end('{}'))
    if (path === '/list.csv') return void response.end(list)
    const policy = path.includes('hash-worker') ? WORKER_POLICY : PAGE_POLICY
    readFile(join(dist, path)).then(
      bytes =>
        response
          .writeHead(200, {
            'content-type': path.endsWith('.js') ? 'text/javascript' : 'text/html',
            'content-security-policy': policy,
          })
          .end(bytes),
      () => response.writeHead(404).end(),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no address')
  return {
    origin: `http://localhost:${address.port}`,
    async stop() {
      server.close()
      server.closeAllConnections()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const listOf = (rows: number) =>
  `email,phone\n${Array.from({ length: rows }, (_, at) => `Person.${at}@mail.demo,09${String(at).padStart(8, '1')}`).join('\n')}`
