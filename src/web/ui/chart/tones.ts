/** A colour of theme.css: `--chart-1` and so on. */
export type Tone = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9

/** How the series of a chart are distinguished: by colour, and without it by hatching and dashes. */
interface Mark {
  tone: Tone
  /** Drawn over the colour of a bar, in a square of 6; null: nothing. */
  hatch: string | null
  /** The dash of a line. */
  dash: string
}

const marks: readonly Mark[] = [
  { tone: 1, hatch: null, dash: 'none' },
  { tone: 2, hatch: 'M0,6L6,0', dash: '7 3' },
  { tone: 3, hatch: 'M0,3H6', dash: '2 3' },
  { tone: 4, hatch: 'M3,0V6', dash: '10 3 2 3' },
  { tone: 5, hatch: 'M0,0L6,6', dash: '4 2' },
  { tone: 6, hatch: 'M0,3H6M3,0V6', dash: '12 3' },
  { tone: 7, hatch: 'M0,0L6,6M0,6L6,0', dash: '2 2' },
  { tone: 8, hatch: 'M2,2h2v2h-2Z', dash: '8 2 2 2 2 2' },
  { tone: 9, hatch: 'M0,1H6M0,5H6', dash: '5 2 2 2' },
]

/** The mark of a series: that of its tone, or else of its position, which repeats after nine. */
export const markOf = (series: { tone?: Tone } | undefined, index: number): Mark =>
  marks[series?.tone === undefined ? index % marks.length : series.tone - 1] as Mark
