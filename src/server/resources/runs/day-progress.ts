import type { BlockProgress } from '#shared/api/executions.ts'
import type { Page } from '#server/connectors/connector.ts'
import { textAt } from '#server/connectors/text-column.ts'
import type { Plan } from '#server/table/plan.ts'

/** How many of the requested days each block has fetched. */
export interface DayProgress {
  /** A page of this request. */
  add(request: number, page: Pick<Page, 'dates' | 'length'>): void
  /** The request has all its days, those without rows too. */
  end(request: number): void
  /** null: the plan does not fetch days. */
  of(block: number): BlockProgress['days']
}

export function dayProgress({
  time,
  range,
  requests,
}: Pick<Plan, 'time' | 'range' | 'requests'>): DayProgress {
  if (time !== 'date') return { add: () => undefined, end: () => undefined, of: () => null }
  const requested = (Date.parse(range.end) - Date.parse(range.start)) / DAY_MS + 1
  const days = requests.map(() => new Set<string>())
  const ended = new Set<number>()
  return {
    add(request, { dates, length }) {
      // Neighbouring rows mostly have the same day.
      let last = -1
      for (let row = 0; row < length; row += 1) {
        const code = dates.codes[row] ?? 0
        if (code !== last) days[request]?.add(textAt(dates, row))
        last = code
      }
    },
    end: request => void ended.add(request),
    of(block) {
      const ofBlock = [...requests.keys()].filter(index => requests[index]?.block === block)
      const sum = ofBlock.reduce(
        (total, index) => total + (ended.has(index) ? requested : (days[index]?.size ?? 0)),
        0,
      )
      return { fetched: Math.floor(sum / Math.max(1, ofBlock.length)), requested }
    },
  }
}

const DAY_MS = 24 * 3_600_000
