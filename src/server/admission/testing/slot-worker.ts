import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '#server/db/connect.ts'
import { platformLimiter } from '#server/admission/platform-limiter.ts'

// Enters a quota and holds its slot until it is killed: a test starts it as a process of its own.

const [url = '', id = '', lease_ms = ''] = process.argv.slice(2)
const { db } = await connect(url, { command: 'test', pool_size: 2 })
const run = platformLimiter(db, sleep, { lease_ms: Number(lease_ms) }).forRun(
  { id: crypto.randomUUID(), is_urgent: false },
  async () => undefined,
)
await run.acquire({ platform: 'ga4', kind: 'account', id, at_once: 1 })
console.log('in')
setInterval(() => undefined, 1000)
