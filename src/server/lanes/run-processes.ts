import type { Lane } from '#server/admission/pool.ts'
import type { Hands } from './hands.ts'
import { startRunProcess, type RunProcess, type RunProgram } from './run-process.ts'

export interface RunProcesses extends Hands {
  /** By lane: how many there are, and the memory that they have. */
  look(): { lane: Lane; processes: number; memory_bytes: number }[]
  /** How many have ended without having been stopped. */
  deaths(): number
}

type RunProcessesOptions = RunProgram & {
  /** Of the shared lane. */
  most: number
  /** One has ended without having been stopped, with these runs in hand. */
  onDeath: (run_ids: readonly string[]) => void
}

/**
 * Carries attempts out in processes of their own, so that no table, however large, takes time or memory from whoever answers people. They are started
 * when there is something to do: those of the shared lane stay for a while, one of the lane `alone` ends with its run, and gives its memory back.
 */
export function openRunProcesses({ most, onDeath, ...program }: RunProcessesOptions): RunProcesses {
  const all = new Set<RunProcess>()
  const resting = new Map<RunProcess, NodeJS.Timeout>()
  let deaths = 0
  let is_closed = false
  const start = (lane: Lane) => {
    const started = startRunProcess(lane, program, run_ids => {
      all.delete(started)
      deaths++
      onDeath(run_ids)
    })
    all.add(started)
    return started
  }
  const stop = async (one: RunProcess) => {
    all.delete(one)
    await one.stop()
  }
  const choose = (): RunProcess => {
    const shared = [...all].filter(({ lane }) => lane === 'shared')
    const [idlest] = shared.toSorted((one, other) => one.count() - other.count())
    return !idlest || (idlest.count() > 0 && shared.length < most) ? start('shared') : idlest
  }
  const rest = (one: RunProcess) => {
    const over = () => {
      resting.delete(one)
      // Else it ends with the refresh.
      if (!one.isRefreshing()) void stop(one)
    }
    resting.set(one, setTimeout(over, REST_MS).unref())
  }
  return {
    async attempt(run_id, lane) {
      const one = lane === 'alone' ? start(lane) : choose()
      clearTimeout(resting.get(one))
      resting.delete(one)
      await one.attempt(run_id)
      if (!all.has(one)) return
      if (lane === 'alone') await stop(one)
      else if (one.count() === 0) rest(one)
    },
    async refreshSpend(every_ms) {
      if (is_closed) return
      const one = [...all].find(each => each.lane === 'shared') ?? start('shared')
      await one.refreshSpend(every_ms)
      // Nobody clicks on this: it ends at once, unless it is there for runs anyway.
      if (all.has(one) && one.count() === 0 && !resting.has(one)) await stop(one)
    },
    handBack: () => all.forEach(one => one.handBack()),
    async close() {
      is_closed = true
      resting.forEach(timer => clearTimeout(timer))
      await Promise.all([...all].map(stop))
    },
    look: () =>
      (['shared', 'alone'] as const).map(lane => {
        const those = [...all].filter(one => one.lane === lane)
        const memory_bytes = those.reduce((sum, one) => sum + one.memoryBytes(), 0)
        return { lane, processes: those.length, memory_bytes }
      }),
    deaths: () => deaths,
  }
}

/** To start one takes half a second, which whoever clicks soon after another should not wait for. */
const REST_MS = 10 * 60_000
