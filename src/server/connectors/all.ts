import type { Channel } from '#shared/channels/all.ts'
import type { Connector } from './connector.ts'
import { meta } from './meta/report.ts'

/** Who answers for each channel. */
export const connectors: Record<Channel, Connector> = { fb: meta }
