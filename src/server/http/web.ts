import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PAGE_POLICY } from './headers.ts'
import { sendProblem } from './problem.ts'
import { refuse } from './refusal.ts'

/**
 * Serves the built web part: files whose names carry a hash for ever, the page itself asked for again each time. Any other path that a browser opens gets the page too, since routes live there; everything else unknown is a 404.
 */
export async function registerWeb(app: FastifyInstance, web_dir: string | null): Promise<void> {
  const page = web_dir === null ? null : await readPage(web_dir)
  if (web_dir !== null && page !== null) {
    await app.register(fastifyStatic, {
      root: web_dir,
      index: false,
      redirect: false,
      wildcard: false,
      globIgnore: ['**/index.html'],
      preCompressed: true,
      cacheControl: false,
      schemaHide: true,
      setHeaders: (reply, path) => {
        void reply.header(
          'cache-control',
          isHashed(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
        )
      },
    })
  }
  app.setNotFoundHandler((request, reply) => {
    if (page !== null && wantsPage(request)) return sendPage(reply, page)
    return sendProblem(refuse('not_found'), request, reply)
  })
}

async function readPage(web_dir: string): Promise<string | null> {
  const path = join(web_dir, 'index.html')
  return existsSync(path) ? await readFile(path, 'utf8') : null
}

/** Vite names what it bundles name-HASH.ext, in assets/. */
const isHashed = (path: string) => /[/\\]assets[/\\][^/\\]+-[\w-]{8,}\.\w+(\.(br|gz))?$/.test(path)

function wantsPage(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const [path = ''] = request.url.split('?')
  if (/^\/(api|users|healthz|readyz|metrics|assets)(\/|$)/.test(path)) return false
  // A file that does not exist: a page in its place would be cached or run as one.
  if (/\.\w+$/.test(path)) return false
  return request.headers.accept === undefined || /text\/html|\*\/\*/.test(request.headers.accept)
}

function sendPage(reply: FastifyReply, page: string) {
  return reply
    .code(200)
    .header('cache-control', 'no-cache')
    .header('content-security-policy', PAGE_POLICY)
    .type('text/html; charset=utf-8')
    .send(page)
}
