import { z } from 'zod'
import { lanes } from '#server/admission/pool.ts'

/** What the main process says to one that works on runs. `settings` are the program's own. */
export const Order = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start'), settings: z.unknown(), log_level: z.string() }),
  z.object({ type: z.literal('attempt'), run_id: z.string(), lane: z.enum(lanes) }),
  /** Ask for the daily spend of all accounts that are due; they are due again after so long. */
  z.object({ type: z.literal('refresh_spend'), every_ms: z.number() }),
  z.object({ type: z.literal('hand_back') }),
  z.object({ type: z.literal('stop') }),
])
export type Order = z.infer<typeof Order>

/** What it answers. `here`: it listens; `ready`: it can work; `over`: the attempt has ended, however; `refreshed`: so has the refresh; `pulse`: it is not stuck. */
export const Answer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('here') }),
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('over'), run_id: z.string() }),
  z.object({ type: z.literal('refreshed') }),
  z.object({ type: z.literal('pulse'), memory_bytes: z.number() }),
  /** A line of the log, as pino writes it. */
  z.object({ type: z.literal('log'), line: z.string() }),
])
export type Answer = z.infer<typeof Answer>

/** A process that says nothing for twelve times as long is stuck. */
export const PULSE_MS = 5000
