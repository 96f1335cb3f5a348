import { z } from 'zod'
import { pools } from '#server/admission/pool.ts'

/** What a worker process does beside runs, until nothing of it is due. */
const Errand = z.discriminatedUnion('kind', [
  /** Fetch the daily spend of accounts; they are due again after so long. */
  z.object({ kind: z.literal('spend'), every_ms: z.number() }),
  /** Bring audiences to ad accounts. */
  z.object({ kind: z.literal('audiences') }),
])
export type Errand = z.infer<typeof Errand>

/** The messages of the main process to a worker process. `settings` are the program's own. */
export const Order = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('start'),
    settings: z.unknown(),
    pool: z.enum(pools),
    concurrency: z.number(),
    log_level: z.string(),
  }),
  z.object({ type: z.literal('errand'), errand: Errand }),
  /** Claim one run of the pool `alone`, and nothing else from now on. */
  z.object({ type: z.literal('claim_alone') }),
  /** The answer to `become_alone`. */
  z.object({ type: z.literal('alone'), may: z.boolean() }),
  /** The answer to `alone_over`: claim runs of the pool `shared` again. Else it is stopped. */
  z.object({ type: z.literal('stay'), concurrency: z.number() }),
  /** Claim nothing more; runs in progress have so long, then they are released. */
  z.object({ type: z.literal('stop'), grace_ms: z.number() }),
])
export type Order = z.infer<typeof Order>

/**
 * The messages of a worker process. `here`: it listens; `ready`: it works; `runs`: the runs in progress;
 * `become_alone`: it asks to move to that pool with a run that has become large; `alone_over`: its run there
 * has ended; `errand_over`: nothing of it is due any more; `pulse`: it is not stuck.
 */
export const WorkerMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('here') }),
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('runs'), run_ids: z.array(z.string()) }),
  z.object({ type: z.literal('become_alone') }),
  z.object({ type: z.literal('alone_over'), memory_bytes: z.number() }),
  z.object({ type: z.literal('errand_over'), kind: z.enum(['spend', 'audiences']) }),
  z.object({ type: z.literal('pulse'), memory_bytes: z.number() }),
  /** A line of the log, as pino writes it. */
  z.object({ type: z.literal('log'), line: z.string() }),
])
export type WorkerMessage = z.infer<typeof WorkerMessage>

/** A process without a message for twelve times as long is stuck. */
export const PULSE_MS = 5000
/** An attempt that is released writes one row. */
export const RELEASE_MS = 1500
