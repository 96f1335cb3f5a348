interface Days {
  due_from: string | undefined
  due_to: string | undefined
}

/** From today to Sunday, as far as the filters of days allow. */
export function weekOf(today: string, { due_from: from, due_to: to }: Days): Days {
  const day = Temporal.PlainDate.from(today)
  const sunday = day.add({ days: 7 - day.dayOfWeek }).toString()
  return {
    due_from: from !== undefined && from > today ? from : today,
    due_to: to !== undefined && to < sunday ? to : sunday,
  }
}

/** Days since a payment was due; below 0: days until then. */
export const daysOver = (due: string, today: string): number =>
  Temporal.PlainDate.from(due).until(today, { largestUnit: 'days' }).days
