#!/usr/bin/env node
import { parentPort } from 'node:worker_threads'
import { openSandbox } from './open.ts'
import type { Sandbox } from './sandbox.ts'

// The sandbox as a program (`node src/sandbox/main.ts`) or as a worker thread. It says on which port it is
// ready, as one line of JSON on stdout or as a message, and stops on SIGTERM, SIGINT or the message 'stop'.
//
// SANDBOX_PORT   0 or not set: any free port
// SANDBOX_DIR    where spreadsheets, mails, audiences and key files are stored; default ./data/sandbox
// SANDBOX_SYSTEM_USERS   how many system users the spreadsheet service knows, 1 to 20; default 1
// HOST           an address of this machine's loopback; default 127.0.0.1

const dir = process.env['SANDBOX_DIR'] ?? './data/sandbox'
const port = Number(process.env['SANDBOX_PORT'] ?? 0)
const system_users = Number(process.env['SANDBOX_SYSTEM_USERS'] ?? 1)
const host = process.env['HOST'] ?? '127.0.0.1'

if (!Number.isInteger(port) || port < 0 || port > 65_535)
  fail(`SANDBOX_PORT is no port: ${process.env['SANDBOX_PORT']}`)
if (!/^127\.\d+\.\d+\.\d+$/.test(host)) fail(`HOST must be a loopback address, not ${host}`)
if (!Number.isInteger(system_users) || system_users < 1 || system_users > 20)
  fail('SANDBOX_SYSTEM_USERS must be a whole number, 1 to 20')

try {
  const sandbox = await openSandbox({ dir, system_users, host, port })
  stopOnSignal(sandbox)
  tell({ type: 'ready', port: sandbox.port })
} catch (error) {
  const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  fail(taken ? `port ${port} is taken; set SANDBOX_PORT to another one` : String(error))
}

function stopOnSignal(sandbox: Sandbox): void {
  const stop = () => {
    sandbox.stop().then(
      () => (parentPort ? parentPort.close() : process.exit(0)),
      error => fail(String(error)),
    )
  }
  parentPort?.on('message', message => {
    if (message === 'stop' || message?.type === 'stop') stop()
  })
  if (!parentPort) for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop)
}

function tell(message: { type: string; port?: number; message?: string }): void {
  if (parentPort) parentPort.postMessage(message)
  else console.log(JSON.stringify(message))
}

function fail(message: string): never {
  if (parentPort) parentPort.postMessage({ type: 'failed', message })
  else console.error(`sandbox: ${message}`)
  process.exit(1)
}
