import { Gauge, Counter, type Registry } from 'prom-client'
import type { RunProcesses } from './run-processes.ts'

/** What Prometheus is told of the processes that work on runs for this one. */
export function registerRunProcessMetrics(registry: Registry, { look, deaths }: RunProcesses) {
  const gauge = (
    name: string,
    help: string,
    read: (of: ReturnType<RunProcesses['look']>[number]) => number,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: ['lane'],
      registers: [registry],
      collect() {
        for (const of of look()) this.set({ lane: of.lane }, read(of))
      },
    })
  gauge('sheetcast_run_processes', 'Processes that work on runs for this one.', of => of.processes)
  gauge(
    'sheetcast_run_process_memory_bytes',
    'Memory of the processes that work on runs for this one, as they last said it.',
    of => of.memory_bytes,
  )
  const died = new Counter({
    name: 'sheetcast_run_process_deaths_total',
    help: 'Processes that worked on runs and have died: out of memory, or killed.',
    registers: [registry],
    collect() {
      died.reset()
      died.inc(deaths())
    },
  })
}
