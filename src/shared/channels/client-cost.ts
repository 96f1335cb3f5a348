import type { AdditiveMetric } from './catalogue.ts'

/** The cost with the flat service fee that the advertiser's agreement of each month says. */
export const clientCost = {
  kind: 'additive',
  names: { en: 'Cost with service fee', 'zh-TW': '含服務費花費' },
  explanation: {
    en: 'Cost with the service fee that is agreed with the advertiser for each month; only for fees that are one rate.',
    'zh-TW': '花費加上與廣告主約定的當月服務費，僅適用單一費率的服務費。',
  },
  from: 'cost',
} as const satisfies Partial<AdditiveMetric>
