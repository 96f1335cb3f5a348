import type { Generated } from 'kysely'
import type { ConversionEntry } from '#shared/api/insight-settings.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import type { FormulaUnit } from '#shared/formula-units.ts'
import type { Json } from './json.ts'

interface Versioned {
  id: Generated<number>
  version: Generated<number>
  created_at: Generated<Date>
  last_modified_at: Generated<Date>
}

export interface CalculatedMetricTable extends Versioned {
  /** null: the whole agency's. */
  advertiser: number | null
  name: string
  name_zh: string
  explanation: Generated<string>
  formula: string
  unit: FormulaUnit
  decimals: number
  is_active: Generated<boolean>
}

export interface ConversionDefinitionTable extends Versioned {
  advertiser: number
  name: string
  name_zh: string
  is_default: Generated<boolean>
  entries: Json<ConversionEntry[]>
}

export interface MetricLabelTable extends Versioned {
  advertiser: number | null
  channel: Channel | null
  metric: string
  label: string
  label_zh: string
}
