import { hash, randomBytes, randomInt } from 'node:crypto'
import type { Page } from 'playwright-core'

/** Somebody whom no platform knows, and whose data is found wherever it is. */
export interface Canary {
  email: string
  phone: string
  /** What every form of the e-mail and of the phone number has in it. */
  clear: readonly string[]
  /** Every form as it is hashed, in the ways that bytes are written. */
  hashes: readonly string[]
}

export const canaries = (count: number): Canary[] => Array.from({ length: count }, createCanary)

function createCanary(): Canary {
  const random = randomBytes(8).toString('hex')
  const digits = `9${String(randomInt(100_000_000)).padStart(8, '0')}`
  const forms = [`ca.${random}+shop@gmail.com`, `ca${random}@gmail.com`, `886${digits}`, `+886${digits}`]
  return {
    email: `Ca.${random}+Shop@Gmail.com`,
    phone: `0${digits}`,
    clear: [random, digits],
    hashes: forms.flatMap(form => [hash('sha256', form), hash('sha256', form, 'base64')]),
  }
}

/** Everything that a page sends and gets from its next address on. */
export async function watchTraffic(page: Page) {
  const sent: { url: string; body: string }[] = []
  const received: string[] = []
  const context = page.context()
  // A body that is a file is not in what the browser says of the request.
  await context.exposeBinding('noteBody', (_, url: string, body: string) => void sent.push({ url, body }))
  await context.addInitScript(() => {
    const send = globalThis.fetch
    globalThis.fetch = (input, init) => {
      const request = new Request(input, init)
      void request.text().then(body => Object(globalThis).noteBody(request.url, body))
      return send(input, init)
    }
  })
  page.on('request', request => {
    const text = `${JSON.stringify(request.headers())} ${request.postData() ?? ''}`
    sent.push({ url: request.url(), body: text })
  })
  page.on('response', async response => {
    if (response.url().includes('/api/')) received.push(await response.text().catch(() => ''))
  })
  return { sent, received }
}

/** What a browser keeps of a page, and what the page shows. */
export const storedBy = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const databases = await indexedDB.databases()
    if (databases.length > 0) throw new Error('there is a database, which has to be read, too')
    const cached = await Promise.all(
      (await caches.keys()).map(async name => {
        const cache = await caches.open(name)
        const responses = await cache.matchAll()
        return await Promise.all(responses.map(response => response.text()))
      }),
    )
    const stores = [{ ...localStorage }, { ...sessionStorage }, history.state, document.cookie]
    return JSON.stringify([cached, stores, location.href, document.documentElement.outerHTML])
  })
