import { CreatePublisher } from '#shared/api/materials.ts'
import { CreateTargetAudience } from '#shared/api/target-audiences.ts'
import { linkNameOf, type LinkPresetFacts } from '#shared/links/presets.ts'
import type { Trx } from '#server/db/transaction.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { insertLinks } from '#server/resources/links/queries.ts'
import { composeLink } from '#server/resources/links/rules.ts'
import { insertPublisher } from '#server/resources/publishers/queries.ts'
import { insertTargetAudience, replaceLists } from '#server/resources/target-audiences/queries.ts'
import {
  demoLinks,
  demoPublishers,
  demoTargetAudiences,
  type DemoLink,
  type DemoTargetAudience,
} from './campaign-list.ts'

type Ids = ReadonlyMap<string, number>

export interface DemoCampaigns {
  advertisers: Ids
  people: Ids
  audiences: Ids
  sites: Ids
  images: Ids
  now: Date
}

/** What campaigns are planned with, as people would have made it. */
export async function insertCampaigns(trx: Trx, demo: DemoCampaigns): Promise<void> {
  const publishers = new Map<string, number>()
  for (const { created_by, ...facts } of demoPublishers) {
    const by = idIn(demo.people, created_by)
    const made = { ...CreatePublisher.parse(facts), created_by: by, now: demo.now }
    const id = await insertPublisher(trx, made)
    publishers.set(facts.name, id)
    await note(trx, { noun: 'publisher', id, by, name: facts.name, now: demo.now })
  }
  for (const plan of demoTargetAudiences) await insertPlan(trx, plan, demo)
  const rows = await trx.selectFrom('link_preset').selectAll().where('advertiser', 'is', null).execute()
  const presets = new Map(rows.map(preset => [preset.name, preset]))
  for (const link of demoLinks) await insertLink(trx, link, { ...demo, publishers, presets })
}

async function insertLink(
  trx: Trx,
  {
    advertiser,
    created_by,
    preset: preset_name = '',
    site,
    publisher,
    image,
    name,
    landing_url,
    ...values
  }: DemoLink,
  demo: DemoCampaigns & { publishers: Ids; presets: ReadonlyMap<string, LinkPresetFacts & { id: number }> },
) {
  const by = idIn(demo.people, created_by)
  const preset = demo.presets.get(preset_name) ?? null
  const { link, ga4_channel, facts, problems } = composeLink({ landing_url, extra: [], ...values }, preset)
  if (link === null) throw new Error(`a link of the demo cannot be made: ${Object.keys(problems).join(', ')}`)
  const related = {
    advertiser: idIn(demo.advertisers, advertiser),
    site: site === undefined ? null : idIn(demo.sites, site),
    image: image === undefined ? null : idIn(demo.images, image),
    publisher: publisher === undefined ? null : idIn(demo.publishers, publisher),
    preset: preset?.id ?? null,
  }
  const made = {
    ...related,
    ...facts,
    name: name ?? linkNameOf(facts),
    landing_url,
    extra: [],
    link,
    ga4_channel,
  }
  const [id = 0] = await insertLinks(trx, [made], { created_by: by, now: demo.now })
  await note(trx, { noun: 'link', id, by, name: made.name, now: demo.now })
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
