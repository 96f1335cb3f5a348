import {
  PlatformFailure,
  type AccountRef,
  type Connector,
  type PlatformAccount,
  type ReportRequest,
  type Source,
} from '#server/connectors/connector.ts'
import { GoogleLogin } from '#server/connectors/kit/google-token.ts'
import { slicesOf } from '#server/connectors/kit/slices.ts'
import { checkView, listViews } from './accounts.ts'
import { rowsOf } from './pages.ts'
import { archivedRows, type ArchiveReader } from './archive.ts'
import { noteOnce } from './notes.ts'
import { queryOf } from './query.ts'
import type { UaIo } from './schema.ts'

/** Universal Analytics through its Reporting API v4, at a service that still speaks it. */
export const universalAnalytics: Connector<GoogleLogin> = {
  login: GoogleLogin,
  hosts: ['ua', 'ua_management', 'google_token'],
  listAccounts: listViews,
  checkAccount: checkView,
  fetchReport,
}

async function* fetchReport(request: ReportRequest, io: UaIo) {
  yield* rowsOf(queryOf(request), slicesOf(request.range, request.time), { io, note: noteOnce(io) })
}

/**
 * The source of views: their archive wherever it has any of the days, else the API, where one is connected,
 * else none.
 */
export function uaSource(wire: Source | null, archive: ArchiveReader): Source {
  const daysOf = ({ account, range }: ReportRequest) => archive.daysOf(account.external_id, range)
  return {
    login_id: wire?.login_id ?? 'archive',
    async *listAccounts(context) {
      if (wire) yield* wire.listAccounts(context)
    },
    async checkAccount(account, context) {
      if (await archive.has(account.external_id)) return archived(account)
      return (wire ?? retired()).checkAccount(account, context)
    },
    async prepare(request, context) {
      if ((await daysOf(request)).length === 0) await wire?.prepare(request, context)
    },
    async *fetchReport(request, context) {
      const days = await daysOf(request)
      if (days.length > 0) yield* archivedRows(request, days, { archive, note: noteOnce(context) })
      else yield* (wire ?? retired()).fetchReport(request, context)
    },
    listActions: async () => [],
    listAudiences: async () => [],
  }
}

function retired(): never {
  throw new PlatformFailure('channel_retired')
}

/** An archive has numbers only, and access to it cannot be lost. */
function archived(account: AccountRef): PlatformAccount {
  return { ...account, name: account.external_id, status: 'enabled', owner_name: null, analytics: null }
}
