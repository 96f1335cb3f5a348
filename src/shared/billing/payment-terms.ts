export const paymentTermKinds = ['days', 'month_end'] as const

/** days: after the issue day; month_end: after the last day of its month, so 月結 30 天 is month_end 30. */
export interface PaymentTerms {
  kind: (typeof paymentTermKinds)[number]
  days: number
}

/** The day on which a document is due. */
export function dueOn({ kind, days }: PaymentTerms, issueOn: string): string {
  const issue = Temporal.PlainDate.from(issueOn)
  const from = kind === 'days' ? issue : issue.with({ day: issue.daysInMonth })
  return from.add({ days }).toString()
}
