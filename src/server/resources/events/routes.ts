import { route } from '#server/http/route.ts'

const KEEP_ALIVE_MS = 20_000

const events = route('GET', '/api/events/', {
  summary:
    'Server-sent events: `run` when a run that one may see has moved. Ends with the access token; connect again then.',
  level: 'external_user',
  transaction: 'own',
  async run({ user, reply, request, effects }) {
    reply.hijack()
    const { raw } = reply
    raw.writeHead(200, {
      ...Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)])),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    raw.write(`retry: 2000\n\n`)
    const leave = effects.runEvents.join(user, event => {
      raw.write(`event: run\ndata: ${JSON.stringify(event)}\n\n`)
    })
    const beat = setInterval(() => raw.write(': here\n\n'), KEEP_ALIVE_MS)
    await new Promise<void>(resolve => {
      request.raw.once('close', resolve)
      effects.stopping.addEventListener('abort', () => resolve(), { once: true })
    })
    clearInterval(beat)
    leave()
    raw.end()
  },
})

export const eventsRoutes = [events]
