/** By the number that a user has as `employment_status`. */
export const employmentStatuses = ['deleted', 'employed', 'resigned', 'on_leave'] as const
