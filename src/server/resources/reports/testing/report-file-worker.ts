import { parentPort } from 'node:worker_threads'

// Stands in for report-file-thread.ts: does what its text says, once released.

parentPort?.on('message', text => {
  if (text === 'hang') for (;;);
  if (text === 'throw') throw new Error('thrown')
  if (text === 'grow') for (const all: number[][] = []; ;) all.push(Array<number>(1_000_000).fill(0.5))
  parentPort?.postMessage([{ file: text }])
})
