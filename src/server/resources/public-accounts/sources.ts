import type { Service } from '#shared/connect.ts'
import { providers, type Platform, type Provider } from '#shared/platforms.ts'
import { audienceSources, sources, type AudienceSettings } from '#server/connectors/all.ts'
import type { AudienceSource } from '#server/connectors/audience.ts'
import { PlatformFailure, type Source } from '#server/connectors/connector.ts'
import { uaSource } from '#server/connectors/universal-analytics/report.ts'
import type { Db } from '#server/db/connect.ts'
import { SealBroken, type Vault } from '#server/vault.ts'
import { archiveReader } from '#server/resources/ua-archive/queries.ts'
import { isEnabledFor } from './login-queries.ts'
import { openLogin, type Login } from './logins.ts'

/** Finds the platform of an account, with the login that reaches it. */
export interface Sources {
  /** null: the platform is not connected, or its login not used for the service: reports, by default. */
  of(account: {
    provider: Provider
    public_account: number | null
    service?: Service
  }): Promise<Source | null>
  /**
   * The same for audiences; null: the platform takes none. Throws PlatformFailure, also when it is not
   * connected, or its login not used for them.
   */
  audiencesOf(account: { provider: Provider; public_account: number | null }): Promise<AudienceSource | null>
  /**
   * The platform of a shared login; null: there is no such login. Throws PlatformFailure:
   * credential_unreadable, credential_expired.
   */
  ofLogin(public_account: number): Promise<{ platform: Platform; source: Source } | null>
  /**
   * Whether a login is used for something; null is the one of the environment, which is used for everything.
   */
  enabledFor(public_account: number | null, service: Service): Promise<boolean>
  /** The platforms connected by the environment, without a shared login. */
  ofEnvironment(platform: Platform): Source | null
}

interface SourcesOptions {
  vault: Vault
  environment: Partial<Record<Platform, Login>>
  audiences?: AudienceSettings
}

export function createSources(
  db: Db,
  { vault, environment, audiences = { line_phone_form: null } }: SourcesOptions,
): Sources {
  const bind = (platform: Platform, login: Login): Source | null => sources[platform](login)
  const loginOf = async (platform: Platform, id: number | null) =>
    id === null ? environment[platform] : (await openLogin(db, vault, id).catch(asFailure))?.login
  const ofEnvironment = (platform: Platform) => {
    const login = environment[platform]
    return login ? bind(platform, login) : null
  }
  const bindSaved = ({ platform, login }: { platform: Platform; login: Login }) =>
    orExpired(() => bind(platform, login))
  const ofLogin = async (public_account: number) => {
    const saved = await openLogin(db, vault, public_account).catch(asFailure)
    const source = saved && bindSaved(saved)
    return source && { platform: saved.platform, source }
  }
  const enabledFor = async (id: number | null, service: Service) =>
    id === null || (await isEnabledFor(db, id, service))
  const usedFor = async (id: number, service: Service) =>
    (await enabledFor(id, service)) ? ((await ofLogin(id))?.source ?? null) : null
  return {
    ofEnvironment,
    ofLogin,
    async audiencesOf({ provider, public_account }) {
      const { platform } = providers[provider]
      const bindAudiences = audienceSources[platform]
      if (!bindAudiences) return null
      const isEnabled = await enabledFor(public_account, 'audiences')
      const login = isEnabled && (await loginOf(platform, public_account))
      if (!login) throw new PlatformFailure('credential_missing')
      return orExpired(() => bindAudiences(login, audiences))
    },
    enabledFor,
    async of({ provider, public_account: id, service = 'reporting' }) {
      const { platform } = providers[provider]
      const wire = id === null ? ofEnvironment(platform) : await usedFor(id, service)
      return platform === 'universal_analytics' ? uaSource(wire, archiveReader(db)) : wire
    },
  }
}

function orExpired<Bound>(bind: () => Bound): Bound {
  try {
    return bind()
  } catch (error) {
    // Stored when the connector needed fewer fields than it does now.
    throw new PlatformFailure('credential_expired', { cause: error })
  }
}

/** The login has to be entered again, or the key restored: retrying does not help. */
function asFailure(error: unknown): never {
  throw error instanceof SealBroken ? new PlatformFailure('credential_unreadable', { cause: error }) : error
}
