import { besideBareSql } from './api.ts'
import type { BenchTable } from './case.ts'
import { seedQuotations } from './quotations-seed.ts'

// The lists of orders and payments beside a bare client that sends the very statements that the API sends.

const QUOTATIONS = process.env.LONG ? 1_000_000 : 100_000

export const tables: BenchTable[] = [
  {
    id: 'P7',
    what: `lists of ${QUOTATIONS.toLocaleString('en')} orders and their payments, 50 clients at once (p50 ≤ 2 ×, p99 ≤ 3 × the same SQL by a bare client; no scan)`,
    measure: () =>
      besideBareSql(async db => {
        const { director, staff, order } = await seedQuotations(db, QUOTATIONS)
        const orders = '/api/ad_insertion/quotation/'
        const payments = '/api/ad_insertion/payment/'
        return [
          { what: 'all orders, first page', claims: director, path: `${orders}?limit=25` },
          {
            what: 'all orders, by total',
            claims: director,
            path: `${orders}?limit=25&ordering=-total&status=accepted`,
          },
          { what: 'own orders, first page', claims: staff, path: `${orders}?limit=25` },
          { what: 'one order', claims: staff, path: `${orders}${order}/` },
          { what: 'all payments, first page', claims: director, path: `${payments}?limit=25` },
          {
            what: 'own overdue payments',
            claims: staff,
            path: `${payments}?limit=25&status=overdue&ordering=due_on`,
          },
          { what: 'orders on the overview', claims: director, path: '/api/overview/orders/' },
        ]
      }),
  },
]
