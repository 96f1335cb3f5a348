import { configOfProcess, type Command } from './command.ts'
import { serve } from './serve.ts'

export const command: Command = {
  usage: 'worker',
  summary: 'Works on runs and begins scheduled ones, beside any number of others on one database.',
  run: () => serve({ ...configOfProcess(), roles: ['worker', 'scheduler'] }),
}
