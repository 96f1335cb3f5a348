import type { Connector, ReportRequest } from '#server/connectors/connector.ts'
import { slicesOf } from '#server/connectors/kit/slices.ts'
import { listActions } from './actions.ts'
import { checkAccount, listAccounts } from './accounts.ts'
import { businessReader } from './businesses.ts'
import { prepareJobs, rowsOf } from './pages.ts'
import { insightsOf } from './query.ts'
import { groupsOf } from './ranges.ts'
import { MetaLogin, type MetaIo } from './schema.ts'

/** Facebook and Instagram ads, through Meta's Marketing API. */
export const meta: Connector<MetaLogin> = {
  login: MetaLogin,
  hosts: ['meta'],
  listAccounts,
  checkAccount,
  prepare,
  fetchReport,
  listActions,
  businesses: businessReader,
}

async function prepare(request: ReportRequest, io: MetaIo): Promise<void> {
  await prepareJobs(insightsOf(request, io.now()), groupsFor(request), io)
}

async function* fetchReport(request: ReportRequest, io: MetaIo) {
  yield* rowsOf(insightsOf(request, io.now()), groupsFor(request), io)
}

const groupsFor = ({ range, time }: ReportRequest) => groupsOf(slicesOf(range, time), time)
