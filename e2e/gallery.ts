import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, preview } from 'vite'

export interface RunningGallery {
  origin: string
  stop(): Promise<void>
}

const root = fileURLToPath(new URL('..', import.meta.url))

/** The gallery of widgets, built as the product is and served by itself. */
export async function startGallery(): Promise<RunningGallery> {
  // Several files of tests may build it at once.
  const outDir = join(root, `node_modules/.cache/gallery-${process.pid}`)
  const configFile = join(root, 'vite.config.ts')
  const { NODE_ENV = 'test' } = process.env
  process.env.NODE_ENV = 'production'
  try {
    await build({
      configFile,
      logLevel: 'warn',
      build: {
        outDir,
        emptyOutDir: true,
        rolldownOptions: { input: join(root, 'src/web/gallery/index.html') },
      },
    })
  } finally {
    // Other tests follow in this process.
    process.env.NODE_ENV = NODE_ENV
  }
  const server = await preview({
    configFile,
    build: { outDir },
    preview: { port: 0, host: '127.0.0.1' },
  })
  const address = server.httpServer.address()
  if (typeof address !== 'object' || !address) throw new Error('no address')
  return {
    origin: `http://127.0.0.1:${address.port}/gallery/index.html`,
    async stop() {
      await server.close()
      rmSync(outDir, { recursive: true, force: true })
    },
  }
}
