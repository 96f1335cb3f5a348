export interface DemoMaterial {
  /** In the folder materials. */
  source: string
  name: string
  /** null: the agency's own. */
  advertiser: string | null
  tags?: string[]
  uploaded_by: string
}

const autumn = { advertiser: 'Aurora Cosmetics', uploaded_by: 'staff', tags: ['autumn 2026', 'serum'] }
const winter = { advertiser: 'Cedar Coffee', uploaded_by: 'manager', tags: ['winter blend'] }

/** Pictures for every format, and some that miss one. */
export const demoImages: readonly DemoMaterial[] = [
  { advertiser: null, uploaded_by: 'director', source: 'agency-cover.png', name: 'Plan 2027, cover.png' },
  {
    advertiser: 'Fjord Travel',
    uploaded_by: 'manager',
    source: 'norway-cruise.jpg',
    name: 'Norway cruise.jpg',
    tags: ['cruises'],
  },
  {
    advertiser: 'Delta Fitness',
    uploaded_by: 'staff',
    source: 'trial-banner.jpg',
    name: '新年免費體驗 banner.jpg',
    tags: ['trial'],
  },
  { ...winter, source: 'cedar-mark.png', name: 'Cedar mark.png', tags: ['logo'] },
  { ...winter, source: 'winter-blend-landscape.jpg', name: 'Winter blend, landscape.jpg' },
  { ...winter, source: 'winter-blend-square.jpg', name: 'Winter blend, square.jpg' },
  { ...autumn, source: 'countdown.webp', name: '倒數三天 3-2-1.webp', tags: ['autumn 2026', 'animation'] },
  { ...autumn, source: 'aurora-logo.png', name: 'Aurora logo.png', tags: ['logo'] },
  { ...autumn, source: 'autumn-serum-small.png', name: 'Autumn serum, small.png' },
  { ...autumn, source: 'autumn-serum-portrait.jpg', name: 'Autumn serum, portrait.jpg' },
  { ...autumn, source: 'autumn-serum-story.jpg', name: 'Autumn serum, story.jpg' },
  { ...autumn, source: 'autumn-serum-square.png', name: 'Autumn serum, square.png' },
  { ...autumn, source: 'autumn-serum-almost.jpg', name: 'Autumn serum, offer.jpg' },
  { ...autumn, source: 'autumn-serum-card.jpg', name: 'Autumn serum, card.jpg' },
]

export const demoFiles: readonly (DemoMaterial & { mime: string })[] = [
  {
    ...winter,
    source: 'storyboard.pdf',
    name: 'Winter blend, storyboard.pdf',
    mime: 'application/pdf',
    tags: ['winter blend', 'video'],
  },
  {
    advertiser: null,
    uploaded_by: 'manager',
    source: 'placements.csv',
    name: 'Sizes of placements.csv',
    mime: 'text/csv',
  },
  { ...autumn, source: 'copy-deck.txt', name: '秋日保濕 copy deck.txt', mime: 'text/plain' },
  {
    ...autumn,
    source: 'media-plan.xlsx',
    name: 'Media plan Q4.xlsx',
    mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    tags: ['plan'],
  },
  { ...autumn, source: 'brand-guide.pdf', name: 'Brand guide.pdf', mime: 'application/pdf', tags: ['brand'] },
]
