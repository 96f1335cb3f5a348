import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { environmentOfOurs } from '#server/child-environment.ts'
import { COMPILE_CACHE } from '#server/compile-cache.ts'
import { StartProblem } from '#server/start-problem.ts'

const Message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), port: z.number() }),
  z.object({ type: z.literal('failed'), message: z.string() }),
])

export interface RunningSandbox {
  port: number
  stop(): Promise<void>
}

/**
 * Starts the emulated platforms in a thread of their own. They know nothing of the product, so what is shared
 * is a folder, a port and one message. A port that is only preferred may be replaced by any free one.
 */
export async function startSandbox(options: {
  dir: string
  port: number
  port_is_fixed: boolean
  system_users: number
}): Promise<RunningSandbox> {
  mkdirSync(options.dir, { recursive: true })
  const first = await tryPort(options, options.port)
  if ('port' in first) return first
  if (options.port_is_fixed) throw new StartProblem(`the sandbox cannot start: ${first.problem}`)
  const second = await tryPort(options, 0)
  if ('port' in second) return second
  throw new StartProblem(`the sandbox cannot start: ${second.problem}`)
}

async function tryPort(
  { dir, system_users }: { dir: string; system_users: number },
  port: number,
): Promise<RunningSandbox | { problem: string }> {
  const worker = new Worker(new URL('../../sandbox/main.ts', import.meta.url), {
    // A flag that the product was started with has no meaning there.
    execArgv: [],
    // Its responses are garbage as soon as they are sent: with Node's own choice 60 MB of it accumulate.
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
    env: {
      ...environmentOfOurs(),
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      SANDBOX_DIR: dir,
      SANDBOX_PORT: String(port),
      SANDBOX_SYSTEM_USERS: String(system_users),
      HOST: '127.0.0.1',
    },
  })
  const exited = once(worker, 'exit')
  const message = await Promise.race([firstMessage(worker), exited.then(() => null)])
  if (message?.type === 'ready') {
    return {
      port: message.port,
      async stop() {
        worker.postMessage('stop')
        await exited
      },
    }
  }
  await worker.terminate()
  return {
    problem: message?.type === 'failed' ? message.message : 'it ended at once',
  }
}

/**
 * The type of the sandbox's own message: under `node --watch` a thread also sends its parent what it imports.
 */
const firstMessage = (worker: Worker) =>
  new Promise<z.infer<typeof Message>>(resolve => {
    worker.on('message', raw => {
      const message = Message.safeParse(raw)
      if (message.success) resolve(message.data)
    })
  })
