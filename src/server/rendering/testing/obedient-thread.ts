import { parentPort } from 'node:worker_threads'
import type { FromThread, ToThread } from '#server/rendering/messages.ts'

// A thread that does what the address of a page says.

const send = (message: FromThread) => parentPort?.postMessage(message)
const drawn = (id: number, markup: string) =>
  send({ kind: 'drawn', id, drawn: { title: '', markup, css: '', parts: [], state: '{}' } })

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'enough') return drawn(message.id, 'with what was there')
  if (message.kind === 'read') return drawn(message.id, message.reply?.body ?? 'unread')
  const { id, page } = message
  if (page.href === '/draw') drawn(id, 'drawn')
  if (page.href === '/read')
    send({ kind: 'read', id, page: id, read: { path: '/api/overview/', headers: { a: 'b' } } })
  if (page.href === '/refuse') send({ kind: 'drawn', id, drawn: null, problem: 'why' })
  if (page.href === '/throw') throw new Error('on purpose')
  if (page.href === '/exit') process.exit(3)
})

send({ kind: 'ready' })
