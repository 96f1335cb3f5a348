import { MINOR_UNITS, type Currency } from '#sandbox/dataset/agency.ts'
import type { Metric } from '#sandbox/dataset/metrics.ts'

/** Numbers that the traffic API gives to currencies. */
export const CURRENCIES: Record<Currency, number> = { USD: 1, JPY: 3, TWD: 4 }

export type Interval = 'whole' | 'day' | 'week' | 'month'
export const INTERVALS: Record<number, Interval> = { 1: 'whole', 2: 'day', 3: 'month', 4: 'week' }

export interface DspDimension {
  name: string
  level: 'advertiser' | 'campaign' | 'line' | 'ad' | 'device'
}
export const DIMENSIONS: Record<number, DspDimension> = {
  4: { name: 'Advertiser', level: 'advertiser' },
  5: { name: 'Campaign', level: 'campaign' },
  6: { name: 'Line', level: 'line' },
  7: { name: 'Ad', level: 'ad' },
  34: { name: 'Device Type', level: 'device' },
}

export const DEVICE_TYPES: Record<string, string> = {
  pc: 'Desktop',
  smartphone: 'Smartphone',
  tablet: 'Tablet',
  connected_tv: 'Connected TV',
}

export interface DspMetric {
  name: string
  needs: readonly Metric[]
  value(figures: { count: (metric: Metric) => number; reach: number; currency: Currency }): number
}
const counted = (name: string, metric: Metric): DspMetric => ({
  name,
  needs: [metric],
  value: ({ count }) => count(metric),
})
const money = (name: string, metric: Metric): DspMetric => ({
  name,
  needs: [metric],
  value: ({ count, currency }) => count(metric) / MINOR_UNITS[currency],
})

export const METRICS: Record<number, DspMetric> = {
  1: counted('Impressions', 'impressions'),
  2: counted('Clicks', 'clicks'),
  44: money('Advertiser Spending', 'spend'),
  23: {
    name: 'Conversions',
    needs: ['web_purchases', 'view_throughs'],
    value: ({ count }) => count('web_purchases') + count('view_throughs'),
  },
  110: counted('Click Through Conversions', 'web_purchases'),
  109: counted('View Through Conversions', 'view_throughs'),
  137: money('Conversion Value', 'web_purchase_value'),
  25: counted('Video Starts', 'video_plays'),
  26: counted('Video 25% Complete', 'video_p25'),
  27: counted('Video 50% Complete', 'video_p50'),
  28: counted('Video 75% Complete', 'video_p75'),
  29: counted('Video 100% Complete', 'video_p100'),
  101: counted('Viewable Impressions', 'viewable_impressions'),
  115: { name: 'Unique Viewers', needs: [], value: ({ reach }) => reach },
  53: {
    name: 'Average Frequency',
    needs: [],
    value: ({ count, reach }) => (reach === 0 ? 0 : count('impressions') / reach),
  },
}
