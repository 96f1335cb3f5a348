import type { Platform } from '#shared/platforms.ts'
import type { AudienceSource } from './audience.ts'

/** The platforms that take audiences: with a login as it is stored. */
export const audienceSources: Partial<Record<Platform, (login: unknown) => AudienceSource>> = {}
