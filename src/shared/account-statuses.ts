// What the addresses of pages are read by, before any page is loaded: names alone.

/** Statuses of Meta's ad accounts, in Meta's numbers; all of them can be filtered by. */
export const accountStatuses = [1, 2, 3, 7, 8, 9, 100, 101] as const
export type AccountStatus = (typeof accountStatuses)[number]

/** What is most urgent about an account; null: nothing. */
export const warnings = ['stopped', 'cap', 'unassigned'] as const
export type Warning = (typeof warnings)[number]
