import { configOfProcess, type Command } from './command.ts'
import { serve } from './serve.ts'

export const command: Command = {
  usage: 'worker',
  summary: 'Starts a worker. Any number of them can share one database.',
  run: () => serve({ ...configOfProcess(), roles: ['worker', 'scheduler'] }),
}
