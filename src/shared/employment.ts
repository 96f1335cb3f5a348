/** By the number that a user has as `employment_status`. */
export const employmentStatuses = ['deleted', 'employed', 'resigned', 'on_leave'] as const
export type EmploymentStatus = (typeof employmentStatuses)[number]

/** What a person's employment can become from each status. */
const steps: Record<EmploymentStatus, readonly EmploymentStatus[]> = {
  employed: ['on_leave', 'resigned'],
  on_leave: ['employed', 'resigned'],
  resigned: ['employed', 'deleted'],
  deleted: [],
}

export const employmentOf = (status: number): EmploymentStatus => employmentStatuses[status] ?? 'employed'

export const employmentSteps = (status: number) => steps[employmentOf(status)]

export const isEmploymentStep = (from: number, to: number) =>
  from === to || employmentSteps(from).includes(employmentOf(to))

/** Whose account is closed: those who have resigned, and deleted ones. */
export const hasLeft = (status: number) => ['resigned', 'deleted'].includes(employmentOf(status))
