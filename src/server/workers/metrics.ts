import { Gauge, Counter, type Registry } from 'prom-client'
import type { WorkerProcesses } from './worker-processes.ts'

/** The metrics of the worker processes for Prometheus. */
export function registerWorkerMetrics(registry: Registry, { usage, deaths }: WorkerProcesses) {
  const gauge = (
    name: string,
    help: string,
    read: (of: ReturnType<WorkerProcesses['usage']>[number]) => number,
  ) =>
    new Gauge({
      name,
      help,
      // The name that dashboards use.
      labelNames: ['lane'],
      registers: [registry],
      collect() {
        for (const of of usage()) this.set({ lane: of.pool }, read(of))
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
    help: 'Worker processes that have died: out of memory, or killed.',
    registers: [registry],
    collect() {
      died.reset()
      died.inc(deaths())
    },
  })
}
