/** What is beyond one person’s share, or the number that one may have. */
export const shares = {
  try_again_in: 'Too many requests at once. Please try again in {{seconds}} s.',
  too_many_reports:
    'One person may have {{limit}} reports, and you have as many. Deleted reports count for 30 days.',
  too_many_folders:
    'One person may have {{limit}} folders, and you have as many. Deleted folders count for 30 days.',
  too_many_issues: 'You have reported {{limit}} issues in the last 24 hours. Please try again later.',
} as const
