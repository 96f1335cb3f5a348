import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClock } from '#sandbox/clock.ts'
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts'
import { mountSpreadsheets } from '#sandbox/spreadsheets.ts'
import { readReply, type Reply } from './reply.ts'

export const BACK = 'http://127.0.0.1:3000/oauth/callback'

export interface ConsentClient {
  sandbox: Sandbox
  /** Answers the page as a form does; where the browser is sent. */
  answer(page: string, form?: Record<string, string | string[]>): Promise<URL>
  send(path: string, init?: RequestInit): Promise<Reply>
  control(method: string, path: string, body?: unknown): Promise<Reply>
}

/** A sandbox of its own for a test file, Google's token endpoint included, at noon of 20 November 2026. */
export async function startClient(): Promise<ConsentClient> {
  const dir = mkdtempSync(join(tmpdir(), 'sandbox-'))
  const clock = createClock()
  clock.set({ now: Date.parse('2026-11-20T04:00:00Z'), speed: 0 })
  const sandbox = await startSandbox({ clock, mount: shared => [mountSpreadsheets(dir, shared)] })
  const send = (path: string, init: RequestInit = {}) => readReply(fetch(`${sandbox.origin}/${path}`, init))
  return {
    sandbox: {
      ...sandbox,
      async stop() {
        await sandbox.stop()
        rmSync(dir, { recursive: true, force: true })
      },
    },
    async answer(page, form = {}) {
      const fields = Object.entries({ person: 'agency-admin', decision: 'agree', ...form })
      const body = new URLSearchParams(
        fields.flatMap(([name, values]) => [values].flat().map(value => [name, value])),
      )
      const response = await fetch(`${sandbox.origin}/${page}`, { method: 'POST', body, redirect: 'manual' })
      return new URL(response.headers.get('location') ?? `about:status-${response.status}`)
    },
    send,
    control: (method, path, body) =>
      send(`control/${path}`, { method, ...(body !== undefined && { body: JSON.stringify(body) }) }),
  }
}
