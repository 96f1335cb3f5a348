import { join } from 'node:path'
import { preview } from 'vite'
import { untilPrepared } from './prepared.ts'

export interface RunningGallery {
  origin: string
  stop(): Promise<void>
}

/** The gallery of widgets, built as the product is and served by itself. */
export async function startGallery(): Promise<RunningGallery> {
  const { gallery } = await untilPrepared()
  const server = await preview({
    configFile: join(import.meta.dirname, '../vite.config.ts'),
    build: { outDir: gallery },
    preview: { port: 0, host: '127.0.0.1' },
  })
  const address = server.httpServer.address()
  if (typeof address !== 'object' || !address) throw new Error('no address')
  return {
    origin: `http://127.0.0.1:${address.port}/gallery/index.html`,
    stop: () => server.close(),
  }
}
