/** How the series of a chart are distinguished: by colour, and without it by hatching and dashes. */
interface Mark {
  /** A colour of chart.module.css. */
  tone: number
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
]

/** The mark of the series at this index; repeats after eight. */
export const markOf = (index: number): Mark => marks[index % marks.length] as Mark
