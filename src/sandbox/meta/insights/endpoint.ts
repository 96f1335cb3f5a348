import { accountFor } from '#sandbox/meta/access.ts'
import { notVisible, tooMuchData } from '#sandbox/meta/errors.ts'
import type { GraphRequest } from '#sandbox/meta/graph.ts'
import type { Account } from '#sandbox/dataset/agency.ts'
import type { Jobs } from './jobs.ts'
import { type Level } from './filtering.ts'
import { syncPage } from './page.ts'
import { readQuery } from './query.ts'

/** GET is synchronous; POST starts a job. */
export function insights(
  request: GraphRequest,
  jobs: Jobs,
  about: { account: Account; within: { level: Level; id: string } | null },
): unknown {
  const { parameters, dataset } = request
  const query = readQuery(parameters, { ...about, dataset })
  if (request.method === 'POST') {
    parameters.integer('limit')
    parameters.refuseUnknown()
    return jobs.start(query, request)
  }
  if (request.method !== 'GET') throw notVisible(request.path[0] ?? '')
  if (request.faults.some(fault => fault.action === 'too_much_data')) throw tooMuchData()
  return syncPage(query, request)
}

/** The state of a job, or its rows. */
export function reportRun(request: GraphRequest, jobs: Jobs, id: string): unknown {
  const job = jobs.find(id)
  if (!job || request.method !== 'GET') throw notVisible(id)
  accountFor(request.caller, job.query.account.id)
  if (request.path[1] === 'insights') return jobs.result(job, request)
  request.parameters.text('fields')
  request.parameters.refuseUnknown()
  return jobs.poll(job, request)
}
