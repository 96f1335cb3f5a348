/** One change that was carried out. */
export interface JournalEntry {
  sequence: number
  at: string
  email: string
  spreadsheet_id: string
  /** Kinds of a batch in order, or the endpoint. */
  changes: string[]
}

const MOST_ENTRIES = 20_000

/** What was changed, oldest first; the oldest half goes when there are too many. */
export function openJournal(clock: () => Date) {
  let entries: JournalEntry[] = []
  let sequence = 0
  return {
    add(entry: Omit<JournalEntry, 'sequence' | 'at'>) {
      entries.push({ sequence: ++sequence, at: clock().toISOString(), ...entry })
      if (entries.length > MOST_ENTRIES) entries = entries.slice(-MOST_ENTRIES / 2)
    },
    list: () => [...entries],
    clear: () => void (entries = []),
  }
}
