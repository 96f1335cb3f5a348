import {
  BillMonth,
  BillReply,
  BookDrift,
  BookDriftReply,
  LockMonth,
  LockReply,
  UnlockMonth,
  UnlockReply,
} from '#shared/api/ec-spend.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { route } from '#server/http/route.ts'
import { billMonth } from './bill.ts'
import { bookDrift } from './drift.ts'
import { lockMonth, unlockMonth } from './lock.ts'
import { EC_SPEND, readState } from './month-routes.ts'
import { asOfOneMoment } from './read-spend.ts'

// Each has the months alone from its first statement, so it begins a transaction of its own.

const lock = route('POST', `${EC_SPEND}lock/`, {
  summary:
    'Freeze what every customer owes for a month. Refused with 409 `lock_blocked` and all `blockers`; `waive` accepts unknown days and spend of nobody, account by account.',
  level: 'superuser_or_finance',
  transaction: 'own',
  body: LockMonth,
  reply: LockReply,
  run: async ({ body, user, db, now, effects: { settings } }) =>
    asOfOneMoment(db, async trx => {
      const moment = { now, time_zone: settings.time_zone }
      const statements = await lockMonth(trx, body, { user: user.id, moment })
      return { month: await readState(trx, body.month), statements }
    }),
})

const unlock = route('POST', `${EC_SPEND}unlock/`, {
  summary:
    'Open the last locked month again, with a reason. Refused with 409 `in_use` while a payment of it stands. Drift of it that was booked is deleted: it is in the costs again.',
  level: 'director',
  transaction: 'own',
  body: UnlockMonth,
  reply: UnlockReply,
  run: async ({ body, user, db, now }) =>
    asOfOneMoment(db, async trx => {
      const statements = await unlockMonth(trx, body, { user: user.id, now })
      return { month: await readState(trx, body.month), statements }
    }),
})

const bill = route('POST', `${EC_SPEND}bill/`, {
  summary:
    'Make a payment for each statement of a locked month that is above 0, that no accepted order covers and no payment stands for.',
  level: 'director_or_finance',
  transaction: 'own',
  body: BillMonth,
  reply: BillReply,
  run: async ({ body, user, db, now, effects: { settings } }) =>
    inTransaction(db, async trx => {
      const moment = { now, time_zone: settings.time_zone }
      return { payments: await billMonth(trx, body, { user: user.id, moment }) }
    }),
})

const drift = route('POST', `${EC_SPEND}drift/`, {
  summary:
    'Book what platforms have changed of an advertiser since a month was locked into the first open month.',
  level: 'director_or_finance',
  transaction: 'own',
  body: BookDrift,
  reply: BookDriftReply,
  run: async ({ body, user, db, now }) =>
    inTransaction(db, async trx => bookDrift(trx, body, { user: user.id, now })),
})

export const actionRoutes = [lock, unlock, bill, drift]
