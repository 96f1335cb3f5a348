import { join } from 'node:path'
import { build } from 'vite'

// The gallery of widgets, as the product is built, into the folder that is named. A program of its own: a
// test runner's own NODE_ENV would build the libraries' development forms.
const root = join(import.meta.dirname, '..')
const [, , outDir = ''] = process.argv
process.env.NODE_ENV = 'production'
await build({
  configFile: join(root, 'vite.config.ts'),
  logLevel: 'warn',
  build: { outDir, emptyOutDir: true, rolldownOptions: { input: join(root, 'src/web/gallery/index.html') } },
})
