import { parentPort, workerData } from 'node:worker_threads'
import type { DrawnPage, PageRequest } from '#shared/drawn-page.ts'
import type { ApiRead, ApiReply, FromThread, ToThread } from './messages.ts'
import { during, installBrowser, stateOfVisit } from './page-browser.ts'

// Draws pages with the interface as it was built for the server, which stays: its code is compiled once.

interface Interface {
  renderPage: (page: PageRequest, enough: Promise<unknown>) => Promise<DrawnPage | null>
  setVisits: (now: typeof stateOfVisit) => void
}

const port = parentPort
if (port === null) throw new Error('this file is a thread')

installBrowser()
const { entry }: { entry: string } = workerData
const { renderPage, setVisits }: Interface = await import(entry)
setVisits(stateOfVisit)

const pages = new Map<number, () => void>()
const reads = new Map<number, (reply: ApiReply | null) => void>()
let lastRead = 0

port.on('message', (message: ToThread) => {
  if (message.kind === 'draw') void draw(message.id, message.page)
  else if (message.kind === 'enough') pages.get(message.id)?.()
  else {
    reads.get(message.id)?.(message.reply)
    reads.delete(message.id)
  }
})

send({ kind: 'ready' })

async function draw(id: number, page: PageRequest) {
  const { promise: enough, resolve } = Promise.withResolvers<void>()
  pages.set(id, resolve)
  const visit = { page, state: new Map(), read: (read: ApiRead) => readFor(id, read) }
  try {
    send({ kind: 'drawn', id, drawn: await during(visit, () => renderPage(page, enough)) })
  } catch (error) {
    send({ kind: 'drawn', id, drawn: null, problem: error instanceof Error ? (error.stack ?? '') : '' })
  } finally {
    pages.delete(id)
  }
}

function readFor(page: number, read: ApiRead): Promise<ApiReply | null> {
  lastRead += 1
  const { promise, resolve } = Promise.withResolvers<ApiReply | null>()
  reads.set(lastRead, resolve)
  send({ kind: 'read', id: lastRead, page, read })
  return promise
}

function send(message: FromThread) {
  port?.postMessage(message)
}
