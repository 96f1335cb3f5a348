import { CreatePublisher } from '#shared/api/materials.ts'
import { CreateTargetAudience } from '#shared/api/target-audiences.ts'
import type { Trx } from '#server/db/transaction.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { insertPublisher } from '#server/resources/publishers/queries.ts'
import { insertTargetAudience, replaceLists } from '#server/resources/target-audiences/queries.ts'
import { demoPublishers, demoTargetAudiences, type DemoTargetAudience } from './campaign-list.ts'

type Ids = ReadonlyMap<string, number>

export interface DemoCampaigns {
  advertisers: Ids
  people: Ids
  audiences: Ids
  now: Date
}

/** What campaigns are planned with, as people would have made it. */
export async function insertCampaigns(trx: Trx, demo: DemoCampaigns): Promise<void> {
  for (const { created_by, ...facts } of demoPublishers) {
    const by = idIn(demo.people, created_by)
    const made = { ...CreatePublisher.parse(facts), created_by: by, now: demo.now }
    const id = await insertPublisher(trx, made)
    await note(trx, { noun: 'publisher', id, by, name: facts.name, now: demo.now })
  }
  for (const plan of demoTargetAudiences) await insertPlan(trx, plan, demo)
}

async function insertPlan(
  trx: Trx,
  { advertiser, created_by, include = [], exclude = [], ...facts }: DemoTargetAudience,
  { advertisers, people, audiences, now }: DemoCampaigns,
) {
  const by = idIn(people, created_by)
  const made = CreateTargetAudience.parse({ ...facts, advertiser: idIn(advertisers, advertiser) })
  const id = await insertTargetAudience(trx, { ...made, created_by: by, now })
  const lists = {
    include: include.map(name => idIn(audiences, name)),
    exclude: exclude.map(name => idIn(audiences, name)),
  }
  await replaceLists(trx, id, lists)
  await note(trx, { noun: 'target_audience', id, by, name: facts.name, now })
}

const note = (
  trx: Trx,
  { noun, id, by, name, now }: { noun: string; id: number; by: number; name: string; now: Date },
) =>
  writeAudit(trx, { actor: by, action: `${noun}.create`, object: noun, object_id: id, detail: { name } }, now)

export function idIn(ids: Ids, name: string): number {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`the demo has no ${name}`)
  return id
}
