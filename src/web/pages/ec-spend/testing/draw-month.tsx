import type { ReactNode } from 'react'
import type { IdentityName } from '#shared/access.ts'
import type { BillingMonth, Check, Statement } from '#shared/api/ec-spend.ts'
import { drawAt } from '#web/testing/draw-for.tsx'
import { changesIn, listOf, serve } from '#web/testing/fake-server.ts'
import { aurora } from '#web/pages/customers/testing/samples.ts'
import { billingMonth } from './samples.ts'

interface DrawnMonth {
  month?: BillingMonth
  tab?: string
  statements?: readonly Statement[]
  checks?: readonly Check[]
  answers?: Readonly<Record<string, unknown>>
  identity?: IdentityName
  department?: number | null
}

/** Draws the page of October 2026, for somebody of finance unless said otherwise. */
export function drawMonth(page: ReactNode, drawn: DrawnMonth = {}) {
  const { month = billingMonth('2026-10'), tab, statements = [], checks = [], answers } = drawn
  const { identity = 'staff', department = 7 } = drawn
  const calls = serve({
    'GET /api/ad/ecspend/statement/': { month, results: statements },
    'GET /api/ad/ecspend/checks/': { month, results: checks },
    'GET /api/advertiser/': listOf([aurora]),
    ...answers,
  })
  drawAt(
    page,
    { path: '/ec-spend/$month', search: tab === undefined ? {} : { tab }, params: { month: month.month } },
    { identity, department },
  )
  return { calls, changes: () => changesIn(calls) }
}
