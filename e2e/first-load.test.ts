import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeWindows, openWindow, sharedBrowser } from './browser.ts'
import { startPrepared } from './start-prepared.ts'
import type { RunningProduct } from './product.ts'

// What a browser with an empty cache loads, gzip: checks the sizes of P10 in docs/performance.md.

const DIST = join(import.meta.dirname, '../dist/web')
/** A word of the catalogues, which take 23 kB and belong to the editor alone. */
const CATALOGUE = 'Viewable impressions'

let product: RunningProduct
let browser: Browser
let manager: Awaited<ReturnType<BrowserContext['storageState']>>

beforeAll(async () => {
  ;[product, browser] = await Promise.all([startPrepared(), sharedBrowser()])
  const context = await openWindow(browser)
  const page = await context.newPage()
  await page.goto(`${product.origin}/sign-in`)
  await page.getByLabel('User name').fill('manager')
  await page.getByLabel('Password', { exact: true }).fill('sheetcast-demo')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('navigation').first().waitFor()
  manager = await context.storageState()
  await context.close()
})
afterAll(async () => {
  await closeWindows(browser)
  await product?.stop()
})

it('has no two files that import each other: which of them runs first would depend on the page', async () => {
  const folder = join(DIST, 'assets')
  const files = (await readdir(folder)).filter(file => file.endsWith('.js'))
  const imports = new Map<string, string[]>()
  for (const file of files) {
    const text = await readFile(join(folder, file), 'utf8')
    imports.set(
      file,
      [...text.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g)].map(([, name = '']) => name),
    )
  }
  const reachedFrom = (file: string, found = new Set<string>()): Set<string> => {
    for (const next of imports.get(file) ?? []) if (!found.has(next)) reachedFrom(next, found.add(next))
    return found
  }
  expect(files.filter(file => reachedFrom(file).has(file))).toEqual([])
})

const FAILURE = 'The account can no longer be used.'

describe('a first load', () => {
  it('takes at most 150 kB of script and 25 kB of style to sign in', async () => {
    const load = await firstLoad(async page => {
      await page.context().clearCookies()
      await open(page, '/sign-in')
      await page.getByRole('button', { name: 'Sign in as Mika Chen' }).waitFor()
    })
    expect(load.script).toBeLessThan(150_000)
    expect(load.style).toBeLessThan(25_000)
  })

  it('takes at most 168 kB before the largest paint of the overview, the list of failures', async () => {
    const load = await firstLoad(
      async page => {
        // Without toasts of anything that happens meanwhile.
        await page.route(/\/api\/events\//, () => {})
        await failEveryReport(page)
        await open(page, '/')
        await page.getByText(FAILURE).first().waitFor()
        await page.getByRole('figure').waitFor()
      },
      { painted: FAILURE },
    )
    expect(load.largest).toContain(FAILURE)
    // 166.1 kB: each failure has its own action, help is on every page, and customers, money, audiences and
    // campaigns have pages, entries of the menu and errors of their own (150.0 before).
    expect(load.script_painted).toBeLessThan(168_000)
    // After it come the bell, the stream of events, and the chart with its card.
    expect(load.script - load.script_painted).toBeGreaterThan(5000)
    expect(load.script).toBeLessThan(190_000)
    expect(load.style).toBeLessThan(25_000)
  })

  it('takes at most 294 kB of script before the list is drawn, without the catalogues', async () => {
    const load = await firstLoad(
      async page => {
        // Without toasts of anything that happens meanwhile.
        await page.route(/\/api\/events\//, () => {})
        await open(page, '/gs-template')
        await page.getByRole('row').nth(1).waitFor()
      },
      { drawn: 'tbody tr' },
    )
    // Of which 26 are the texts of pages: 10 more than before the gallery, versions, help and customers.
    expect(load.script_drawn, load.named_before).toBeLessThan(294_000)
    expect(load.style).toBeLessThan(26_000)
    expect(load.text).not.toContain(CATALOGUE)
    expect(load.unnamed).toEqual([])
    expect(load.styles).toEqual([expect.stringContaining('/page-')])
  })

  it('loads the catalogues for the editor', async () => {
    const load = await firstLoad(
      async page => {
        await open(page, '/gs-template/template')
        await page.getByRole('button', { name: 'Add Meta ads' }).waitFor()
      },
      { drawn: '#channels' },
    )
    expect(load.text).toContain(CATALOGUE)
    expect(load.unnamed).toEqual([])
  })

  it('loads the error texts in one language, and in the other once that is chosen', async () => {
    const chinese = '已無法使用此帳戶，請參考授權說明重新授權。'
    const visit = async (page: Page) => {
      await failEveryReport(page)
      await open(page, '/')
      await page.getByText('The account can no longer be used.').first().waitFor()
    }
    expect((await firstLoad(visit)).text).not.toContain(chinese)
    const load = await firstLoad(async page => {
      await visit(page)
      await page.getByRole('button', { name: 'Language' }).click()
      await page.getByText('繁體中文').click()
      await page.getByText(chinese).first().waitFor()
    })
    expect(load.text).toContain(chinese)
  })
})

/**
 * What a browser with an empty cache has loaded when the visit is over, and how much of it before the largest
 * thing was painted and before what `drawn` finds was in the page. `painted`: a text of that largest thing,
 * without which nothing that is deferred loads.
 */
async function firstLoad(visit: (page: Page) => Promise<void>, { drawn = 'main', painted = '' } = {}) {
  const context = await openWindow(browser, { storageState: manager })
  // Without it the browser draws everything itself (drawn-pages.test.ts has the pages that arrive drawn).
  await context.clearCookies({ name: 'look' })
  await context.addInitScript(
    ([selector = '', text = '']) => {
      // Deferred files load a tenth of a second after the page's requests are answered, and after three
      // seconds in any case: a machine that is too busy to draw, or to paint, by then is given the time.
      const { setTimeout: later } = globalThis
      const putOff: (() => void)[] = []
      let isDrawn = false
      const onceDrawn = (then: () => void, ms?: number) =>
        isDrawn || !(ms === 100 || ms === 3000) ? later(then, ms) : -putOff.push(then)
      Object.assign(globalThis, { setTimeout: onceDrawn })
      // The pointer is over the brand at first, and a hovered link preloads its page.
      for (const type of ['mouseover', 'pointerover'])
        addEventListener(type, event => event.stopImmediatePropagation(), { capture: true })
      const loadDeferred = () => {
        isDrawn = true
        for (const then of putOff) later(then, 100)
      }
      const watcher = new MutationObserver(() => {
        if (!document.querySelector(selector)) return
        performance.mark('drawn')
        watcher.disconnect()
        if (text === '') loadDeferred()
      })
      watcher.observe(document, { childList: true, subtree: true })
      if (text === '') return
      const paints = new PerformanceObserver(list => {
        const isText = (entry: PerformanceEntry) =>
          'element' in entry && entry.element instanceof Element && entry.element.textContent.includes(text)
        if (!list.getEntries().some(isText)) return
        paints.disconnect()
        loadDeferred()
      })
      paints.observe({ type: 'largest-contentful-paint', buffered: true })
    },
    [drawn, painted],
  )
  const page = await context.newPage()
  await visit(page)
  const { files, largest, html, drawn_at } = await page.evaluate(async () => ({
    drawn_at: performance.getEntriesByName('drawn')[0]?.startTime ?? 0,
    html: await (await fetch(location.href, { headers: { accept: 'text/html' } })).text(),
    files: performance
      .getEntriesByType('resource')
      .map(({ name, startTime }) => ({ path: new URL(name).pathname, startTime })),
    largest: await new Promise<{ text: string; startTime: number }>(resolve => {
      new PerformanceObserver(list => {
        const last = list.getEntries().at(-1)
        const text =
          last && 'element' in last && last.element instanceof Element ? last.element.textContent : ''
        resolve({ text, startTime: last?.startTime ?? 0 })
      }).observe({ type: 'largest-contentful-paint', buffered: true })
    }),
  }))
  // A response may still be on its way through a route.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.close()
  const read = (ending: string, until = Number.POSITIVE_INFINITY) =>
    Promise.all(
      files
        .filter(({ path, startTime }) => path.endsWith(ending) && startTime <= until)
        .map(({ path }) => readFile(join(DIST, path))),
    )
  const [scripts, untilPaint, before, styles] = await Promise.all([
    read('.js'),
    read('.js', largest.startTime),
    read('.js', drawn_at),
    read('.css'),
  ])
  return {
    script: sizeOf(scripts),
    script_painted: sizeOf(untilPaint),
    script_drawn: sizeOf(before),
    style: sizeOf(styles),
    styles: files
      .filter(({ path, startTime }) => path.endsWith('.css') && startTime <= drawn_at)
      .map(({ path }) => path),
    largest: largest.text,
    named_before: files
      .filter(({ path, startTime }) => path.endsWith('.js') && startTime <= drawn_at)
      .map(({ path, startTime }) => `${path} ${Math.round(startTime)}`)
      .join('\n'),
    text: scripts.join('\n'),
    /**
     * Files that were requested before the page was drawn though the page itself had not named them: a
     * further round trip each time.
     */
    unnamed: files
      .filter(({ path, startTime }) => /\.(js|css)$/.test(path) && startTime <= drawn_at)
      .map(({ path }) => path)
      .filter(path => !html.includes(path)),
  }
}

const open = (page: Page, path: string) => page.goto(product.origin + path)

const sizeOf = (files: Buffer[]) => files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0)

async function failEveryReport(page: Page) {
  await page.route(/\/api\/overview\/(\?|$)/, async route => {
    const response = await route.fetch()
    const overview = await response.json()
    const outcome = { run: '', status: 'error', code: 'account_access_lost', at: '2026-09-01T06:00:00Z' }
    const results = overview.recent.reports.map(({ report }: { report: object }) => ({
      report: { ...report, task: null, gaps: [] },
      reason: 'failure',
      outcome,
      updated_at: null,
      finishes_at: null,
    }))
    const attention = { count: results.length, failed: results.length, results }
    await route.fulfill({ json: { ...overview, attention } })
  })
}
