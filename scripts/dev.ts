import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createServer } from 'vite'

/**
 * Everything for working on the product, in one terminal: the server (API, workers, sandbox, demo data),
 * restarted when one of its files changes, and before it the interface with hot replacement.
 */
const root = join(import.meta.dirname, '..')
const serverPort = process.env.PORT ?? '3000'

const server = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', 'src/cli/sheetcast.ts', 'serve'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PORT: serverPort },
  },
)

process.env.SHEETCAST_DEV_SERVER = `http://127.0.0.1:${serverPort}`
const web = await createServer({ configFile: join(root, 'vite.config.ts') })
await web.listen()
web.printUrls()

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    server.kill('SIGTERM')
    void web.close()
  })
server.once('exit', code => {
  void web.close()
  process.exitCode = code ?? 0
})
