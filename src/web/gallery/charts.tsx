import type { ChartData } from '#web/ui/chart/chart-data.ts'
import { LazyChart } from '#web/ui/chart/lazy-chart.tsx'
import { IconReportAnalytics } from '@tabler/icons-react'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Part } from './part.tsx'

const days = Array.from({ length: 30 }, (_, index) => `2026-11-${String(index + 1).padStart(2, '0')}`)
const wave = (size: number, shift: number) =>
  days.map((_, index) => Math.round(size * (2 + Math.sin((index + shift) / 3))))
const spend: ChartData = {
  kind: 'stacked',
  points: days,
  series: ['Meta ads', 'Google Ads', 'TikTok', '廣告活動與關鍵字', 'LINE', 'Yahoo!', 'Six', 'Seven'].map(
    (name, index) => ({ key: name, name, values: wave(4000 - index * 420, index * 5) }),
  ),
  reference: { key: 'before', name: 'The 30 days before', values: wave(19_000, 4) },
}
const rowsOfRuns: ChartData = {
  kind: 'line',
  points: days,
  series: [
    {
      key: 'rows',
      name: 'Rows',
      values: wave(120, 1).map((value, index) => (index % 11 === 6 ? null : value)),
    },
    { key: 'seconds', name: 'Seconds', values: wave(40, 3) },
  ],
}

export function Charts() {
  const words = {
    label: 'Spend by channel',
    points_label: 'Date',
    format: (value: number) => `NT$${value.toLocaleString('en')}`,
    formatTick: (value: number) =>
      value.toLocaleString('en', { notation: 'compact', maximumFractionDigits: 1 }),
    pointTick: (day: string) => day.slice(5),
  }
  const shared = {
    words,
    height: 300,
    empty: <EmptyState icon={IconReportAnalytics} title="Nothing spent" />,
  }
  const few = { points: days.slice(0, 6), series: spend.series.slice(0, 3) }
  return (
    <Part title="Charts">
      <LazyChart data={spend} {...shared} />
      <LazyChart data={rowsOfRuns} {...shared} height={200} />
      <LazyChart data={{ ...rowsOfRuns, kind: 'area' }} {...shared} height={200} />
      <LazyChart data={{ kind: 'bars', ...few }} {...shared} height={200} />
      <LazyChart data={{ kind: 'line', points: [], series: [] }} {...shared} height={200} />
      <LazyChart data={null} {...shared} height={200} />
    </Part>
  )
}
