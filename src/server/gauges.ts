import { Gauge, type Registry } from 'prom-client'

/**
 * Adds gauges whose values are read when somebody asks for them, from the database, so that any process
 * returns them for all.
 */
export const gaugesIn =
  (registry: Registry) =>
  <Label extends string>(
    name: string,
    help: string,
    read: () => Promise<[labels: Partial<Record<Label, string>>, value: number][]>,
    labelNames: readonly Label[] = [],
  ): Gauge<Label> =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const values = await read()
        this.reset()
        for (const [labels, value] of values) this.set(labels, value)
      },
    })
