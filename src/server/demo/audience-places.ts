import { providers } from '#shared/platforms.ts'
import { audienceSources } from '#server/connectors/all.ts'
import type { AccountRef, PlatformAccount } from '#server/connectors/connector.ts'
import { withDeadline } from '#server/connectors/deadline.ts'
import { jobsInMemory } from '#server/connectors/memory-jobs.ts'
import type { PlatformAccess } from '#server/resources/ad-accounts/import.ts'
import { demoAudiences } from './audience-list.ts'
import { demoLogins } from './logins.ts'

/** What a platform says of an account in which the demo shares audiences. */
export interface AudiencePlace {
  account: AccountRef
  /** Accounts of one business share an audience. */
  business: string | null
  pixels: { platform: 'meta'; id: string }[]
}

const PATIENCE_MS = 20_000

/** Asks the platforms about these accounts, as far as the demo has audiences there; by channel and name. */
export async function findAudiencePlaces(
  accounts: readonly PlatformAccount[],
  { platforms, log }: { platforms: PlatformAccess; log: (message: string) => void },
): Promise<Map<string, AudiencePlace>> {
  const used = new Set(demoAudiences.flatMap(({ accounts: names }) => names))
  const places = new Map<string, AudiencePlace>()
  await Promise.all(
    accounts.map(async account => {
      const name = `${providers[account.provider].channel} ${account.name}`
      if (!used.has(name)) return
      try {
        places.set(name, await ask(account, platforms))
      } catch (error) {
        log(`the demo shares nothing in ${name}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }),
  )
  return places
}

async function ask(account: PlatformAccount, platforms: PlatformAccess): Promise<AudiencePlace> {
  const { platform } = providers[account.provider]
  const source = audienceSources[platform]?.(demoLogins[platform], { line_phone_form: null })
  if (!source) return { account, business: null, pixels: [] }
  return await withDeadline(PATIENCE_MS, { ...platforms, jobs: jobsInMemory() }, async io => {
    const operations = source.open(io)
    const [{ business }, pixels = []] = await Promise.all([
      operations.check(account),
      operations.listPixels?.(account),
    ])
    return { account, business, pixels: pixels.map(({ id }) => ({ platform: 'meta' as const, id })) }
  })
}
