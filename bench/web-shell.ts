import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const CACHE = join(import.meta.dirname, '../node_modules/.cache')

const PAGE =
  '<!doctype html><html lang="en"><body><div id="root"></div><script type="module" src="./main.js"></script></body></html>'
const MAIN = `
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
const root = createRootRoute()
const page = createRoute({ getParentRoute: () => root, path: '/', component: () => createElement('h1', null, 'A page with one line of text') })
const router = createRouter({ routeTree: root.addChildren([page]) })
createRoot(document.getElementById('root')).render(
  createElement(QueryClientProvider, { client: new QueryClient() }, createElement(RouterProvider, { router })))
`

/**
 * A page of React, router and query alone, built as the product is and served compressed: what no page of
 * ours can be faster than.
 */
export async function serveShell(): Promise<{ origin: string; dist: string; stop: () => Promise<void> }> {
  await mkdir(CACHE, { recursive: true })
  const folder = await mkdtemp(join(CACHE, 'bench-shell-'))
  await writeFile(join(folder, 'index.html'), PAGE)
  await writeFile(join(folder, 'main.js'), MAIN)
  const dist = join(folder, 'dist')
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    build: { outDir: dist, target: 'es2023' },
  })
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '')
    readFile(join(dist, path)).then(
      bytes =>
        response
          .writeHead(200, {
            'content-type': path.endsWith('.js') ? 'text/javascript' : 'text/html',
            'content-encoding': 'gzip',
          })
          .end(gzipSync(bytes, { level: 9 })),
      () => response.writeHead(404).end(),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no address')
  return {
    origin: `http://localhost:${address.port}`,
    dist,
    async stop() {
      server.close()
      server.closeAllConnections()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
