import { randomUUID } from 'node:crypto'
import type { TestApi } from './api.ts'

/** Two users of client A, one of client B, and the agency's people: staff and manager serve A. */
export async function principals(api: TestApi) {
  const people = {
    a1: await api.signedIn('external_user'),
    a2: await api.signedIn('external_user'),
    b: await api.signedIn('external_user'),
    staff: await api.signedIn('staff', { department: 2 }),
    manager: await api.signedIn('manager', { department: 2 }),
    director: await api.signedIn('director', { department: 1 }),
    finance: await api.signedIn('staff', { department: 7 }),
    superuser: await api.signedIn('superuser', { department: 6 }),
  }
  const { a1, a2, b, staff, manager } = people
  const members = [a1, a2, staff, manager].map(({ user }) => user.id)
  const client_a = await api.advertiser(`A ${randomUUID()}`, members)
  const client_b = await api.advertiser(`B ${randomUUID()}`, [b.user.id])
  return { people, client_a, client_b }
}
