/** Limits per person: on requests, and on how many of a thing one may have. */
export const shares = {
  try_again_in: 'Too many requests at once. Please try again in {{seconds}} s.',
  too_many_reports: 'You have reached the limit of {{limit}} reports. Deleted reports count for 30 days.',
  too_many_folders: 'You have reached the limit of {{limit}} folders. Deleted folders count for 30 days.',
  too_many_spreadsheets:
    'You have created {{limit}} spreadsheets in the last 24 hours. Please try again later, or paste the address of one that you have.',
  too_many_issues: 'You have reported {{limit}} issues in the last 24 hours. Please try again later.',
} as const
