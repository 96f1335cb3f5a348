import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Site } from './cookies.ts'
import { drawPages, type PageDrawing } from './draw-pages.ts'
import { WORKER_POLICY } from './headers.ts'
import { addressOf, pageFor, readPages, sendPage } from './pages.ts'
import { sendProblem } from './problem.ts'
import { refuse } from './refusal.ts'

/**
 * Serves the built web part: files whose names carry a hash are cached for ever, the page itself is
 * revalidated each time. Any other path that a browser opens gets the page too, since routes are resolved
 * there; everything else unknown is a 404.
 */
export async function registerWeb(
  app: FastifyInstance,
  webDir: string | null,
  drawing: (PageDrawing & { site: Site }) | undefined,
): Promise<void> {
  const pages = webDir === null ? null : await readPages(webDir)
  const draw = drawing && drawPages(app, drawing)
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
      const page = pageFor(request, pages)
      return page && (draw?.(request, reply, page) ?? sendPage(reply, page))
    }
    return sendProblem(refuse('not_found'), request, reply)
  })
}

/** Its address holds a code, which nobody else may read, not even in requests for the page's own files. */
const sayNothing = (reply: FastifyReply) => reply.header('referrer-policy', 'no-referrer')

/** Where platforms send people back to. */
const CALLBACK_PATH = '/oauth/callback'

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
