import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { languages, type Language } from '#shared/language.ts'
import { LANGUAGE_COOKIE, sessionCookies } from '#shared/session-cookies.ts'
import { PAGE_POLICY, WORKER_POLICY } from './headers.ts'
import { sendProblem } from './problem.ts'
import { refuse } from './refusal.ts'

/**
 * Serves the built web part: files whose names carry a hash are cached for ever, the page itself is
 * revalidated each time. Any other path that a browser opens gets the page too, since routes are resolved
 * there; everything else unknown is a 404.
 */
export async function registerWeb(app: FastifyInstance, webDir: string | null): Promise<void> {
  const pages = webDir === null ? null : await readPages(webDir)
  if (webDir !== null && pages !== null) {
    await app.register(fastifyStatic, {
      root: webDir,
      index: false,
      redirect: false,
      wildcard: false,
      globIgnore: ['**/index.html', '**/pages.json'],
      preCompressed: true,
      cacheControl: false,
      // None is so large that half of one would help.
      acceptRanges: false,
      schemaHide: true,
      setHeaders: (reply, path) => {
        void reply.header(
          'cache-control',
          isHashed(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
        )
        if (isWorker(path)) void reply.header('content-security-policy', WORKER_POLICY)
      },
    })
  }
  app.setNotFoundHandler((request, reply) => {
    if (pages !== null && wantsPage(request)) {
      if (addressOf(request) === CALLBACK_PATH) sayNothing(reply)
      return sendPage(reply, pageFor(request, pages))
    }
    return sendProblem(refuse('not_found'), request, reply)
  })
}

/** Its address holds a code, which nobody else may read, not even in requests for the page's own files. */
const sayNothing = (reply: FastifyReply) => reply.header('referrer-policy', 'no-referrer')

/** Where platforms send people back to. */
const CALLBACK_PATH = '/oauth/callback'
const addressOf = (request: FastifyRequest) => request.url.split('?')[0] ?? ''

/** By address, `*` for any other behind the sign-in, and by language: the page itself. */
type Pages = Record<string, Record<Language, string>>

/** By address and language: its files beyond those of every page (scripts/page-files.ts). */
const PageFiles = z.record(z.string(), z.record(z.enum(languages), z.array(z.string())))

async function readPages(webDir: string): Promise<Pages | null> {
  const path = join(webDir, 'index.html')
  if (!existsSync(path)) return null
  const page = await readFile(path, 'utf8')
  const files = PageFiles.parse(JSON.parse(await readFile(join(webDir, 'pages.json'), 'utf8')))
  return Object.fromEntries(
    Object.entries(files).map(([address, { en, 'zh-TW': chinese }]) => [
      address,
      { en: naming(page, en), 'zh-TW': naming(page, chinese).replace('lang="en"', 'lang="zh-Hant-TW"') },
    ]),
  )
}

/**
 * The page with preload links for the files that its scripts will import, so that the browser need not
 * discover each by the one before.
 */
function naming(page: string, files: readonly string[]): string {
  const links = files.map(file =>
    file.endsWith('.css')
      ? `<link rel="stylesheet" crossorigin href="${file}">`
      : `<link rel="modulepreload" crossorigin href="${file}">`,
  )
  return page.replace('</head>', `${links.join('')}</head>`)
}

/** A visitor who is not signed in is about to be. */
function pageFor(request: FastifyRequest, pages: Pages): string {
  const address = addressOf(request)
  const isSignedIn = SIGNED_IN.some(name => request.cookies[name])
  const entry = ENTRY_PAGES.includes(address) || isSignedIn ? address.replace(/(?<=.)\/$/, '') : '/sign-in'
  const language = languages.find(known => known === request.cookies[LANGUAGE_COOKIE]) ?? languages[0]
  return (pages[entry] ?? pages['*'])?.[language] ?? ''
}

/** Only the preloads depend on it, so either spelling will do. */
const SIGNED_IN = ['http:', 'https:'].flatMap(protocol => {
  const { access, refresh_expiry } = sessionCookies(protocol)
  return [access, refresh_expiry]
})

const ENTRY_PAGES = ['/sign-in', '/expired', '/set-password']

/** Vite names what it bundles name-HASH.ext, in assets/. */
const isHashed = (path: string) => /[/\\]assets[/\\][^/\\]+-[\w-]{8,}\.\w+(\.(br|gz))?$/.test(path)

/** What a page starts as a thread of its own has the policy of its file, not the page's. */
const isWorker = (path: string) => /[/\\]assets[/\\][\w-]+-worker-[\w-]{8,}\.js(\.(br|gz))?$/.test(path)

function wantsPage(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const path = addressOf(request)
  if (/^\/(api|users|healthz|readyz|metrics|assets)(\/|$)/.test(path)) return false
  // A file that does not exist: a page in its place would be cached or run as one.
  if (/\.\w+$/.test(path)) return false
  return request.headers.accept === undefined || /text\/html|\*\/\*/.test(request.headers.accept)
}

function sendPage(reply: FastifyReply, page: string) {
  return reply
    .code(200)
    .header('cache-control', 'no-cache')
    .header('vary', 'cookie')
    .header('content-security-policy', PAGE_POLICY)
    .type('text/html; charset=utf-8')
    .send(page)
}
