import type { HttpResponse } from '#sandbox/http/response.ts'
import type { Dataset } from '#sandbox/dataset/dataset.ts'
import { type Caller } from './access.ts'
import { advertiserInfo, businessAssets, businessCenters } from './accounts.ts'
import { audienceGet, audienceList, shareAudiences, shareLog, type Shares } from './audiences.ts'
import {
  createAudience,
  type CustomerFiles,
  deleteAudiences,
  updateAudience,
  uploadFile,
} from './customer-files.ts'
import { entityList } from './entities.ts'
import type { TikTokFault } from './faults.ts'
import { authorizedAdvertisers, type UsedCodes, userInfo } from './oauth.ts'
import type { Parameters } from './parameters.ts'
import { type Results, syncReport } from './report/sync.ts'
import type { Tasks } from './report/tasks.ts'

export interface State {
  used_codes: UsedCodes
  shares: Shares
  customer_files: CustomerFiles
  results: Results
  tasks: Tasks
}

export interface Call {
  parameters: Parameters
  caller: Caller
  dataset: Dataset
  now: number
  origin: string
  faults: readonly TikTokFault[]
  /** How long an audience takes to be filled. */
  fill_ms: number
  state: State
}

export type Outcome = { data: unknown; headers?: Record<string, string> } | { file: HttpResponse }

interface Route {
  method: 'GET' | 'POST'
  run(call: Call): Outcome
}

const get = (data: (call: Call) => unknown): Route => ({
  method: 'GET',
  run: call => ({ data: data(call) }),
})
const post = (data: (call: Call) => unknown): Route => ({ ...get(data), method: 'POST' })

/** Everything below /open_api/v1.3/ that needs a token. */
export const ROUTES: Readonly<Record<string, Route>> = {
  'oauth2/advertiser/get/': get(({ parameters, caller }) => authorizedAdvertisers(parameters, caller)),
  'user/info/': get(({ parameters, caller }) => userInfo(parameters, caller)),
  'advertiser/info/': get(({ parameters, caller }) => advertiserInfo(parameters, caller)),
  'bc/get/': get(({ parameters, caller }) => businessCenters(parameters, caller)),
  'bc/asset/get/': get(({ parameters, caller }) => businessAssets(parameters, caller)),
  'campaign/get/': get(({ parameters, ...call }) => entityList(parameters, { ...call, kind: 'campaign' })),
  'adgroup/get/': get(({ parameters, ...call }) => entityList(parameters, { ...call, kind: 'adgroup' })),
  'ad/get/': get(({ parameters, ...call }) => entityList(parameters, { ...call, kind: 'ad' })),
  'dmp/custom_audience/file/upload/': post(uploadFile),
  'dmp/custom_audience/create/': post(createAudience),
  'dmp/custom_audience/update/': post(updateAudience),
  'dmp/custom_audience/delete/': post(deleteAudiences),
  'dmp/custom_audience/get/': get(audienceGet),
  'dmp/custom_audience/list/': get(audienceList),
  'dmp/custom_audience/share/': post(call => shareAudiences(call, 'SHARED')),
  'dmp/custom_audience/share/cancel/': post(call => shareAudiences(call, 'CANCELLED')),
  'dmp/custom_audience/share/log/': get(shareLog),
  'report/integrated/get/': {
    method: 'GET',
    run: ({ parameters, caller, dataset, faults, state: { results } }) =>
      syncReport(parameters, { caller, dataset, results, faults }),
  },
  'report/task/create/': post(({ parameters, state, ...call }) => state.tasks.create(parameters, call)),
  'report/task/check/': get(({ parameters, caller, state }) => state.tasks.check(parameters, caller)),
  'report/task/cancel/': post(({ parameters, caller, state }) => state.tasks.cancel(parameters, caller)),
  'report/task/download/': {
    method: 'GET',
    run: ({ parameters, state, ...call }) => state.tasks.download(parameters, call),
  },
}

/** What TikTok has for audiences beside these, and the sandbox has not. */
export const isNotEmulated = (path: string) =>
  /^(segment|dmp\/saved_audience)\//.test(path) ||
  /^dmp\/custom_audience\/(apply|apply\/log|lookalike\/(create|update)|rule\/create)\/$/.test(path)

export const TOKEN_ROUTE = 'oauth2/access_token/'
export const REVOKE_ROUTE = 'oauth2/revoke_token/'
export const TASK_ROUTE = 'report/task/create/'
