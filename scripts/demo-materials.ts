import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import sharp from 'sharp'

/**
 * Makes the images and files of the demo in src/server/demo/materials: `node scripts/demo-materials.ts`, with
 * a font for Chinese on the machine. They are in the repository, since fonts differ from machine to machine.
 */
const out = join(import.meta.dirname, '../src/server/demo/materials')

interface Drawing {
  file: string
  width: number
  height: number
  from: string
  to: string
  ink: string
  headline: string
  line?: string
  shape: 'bottle' | 'cup' | 'peaks' | 'dumbbell' | 'ship' | 'mark'
  /** No background. */
  is_transparent?: true
}

const aurora = { from: '#fbe9ef', to: '#e7b7c8', ink: '#6d2743', shape: 'bottle' } as const
const cedar = { from: '#f3e6d3', to: '#c99b6b', ink: '#4a2c14', shape: 'cup' } as const

const drawings: Drawing[] = [
  {
    ...aurora,
    file: 'autumn-serum-card.jpg',
    width: 1200,
    height: 628,
    headline: '秋日保濕',
    line: '全系列 8 折起',
  },
  {
    ...aurora,
    file: 'autumn-serum-almost.jpg',
    width: 1200,
    height: 627,
    headline: '秋日保濕',
    line: '買一送一',
  },
  {
    ...aurora,
    file: 'autumn-serum-square.png',
    width: 1080,
    height: 1080,
    headline: '喝飽水的肌膚',
    line: '保濕精華 30 ml',
  },
  {
    ...aurora,
    file: 'autumn-serum-story.jpg',
    width: 1080,
    height: 1920,
    headline: '秋日保濕',
    line: '向上滑，立即選購',
  },
  {
    ...aurora,
    file: 'autumn-serum-portrait.jpg',
    width: 1080,
    height: 1350,
    headline: '28 天見光澤',
    line: '限時組合',
  },
  { ...aurora, file: 'autumn-serum-small.png', width: 600, height: 400, headline: '秋日保濕' },
  {
    ...aurora,
    file: 'aurora-logo.png',
    width: 512,
    height: 128,
    headline: 'AURORA',
    shape: 'mark',
    is_transparent: true,
  },
  {
    ...cedar,
    file: 'winter-blend-square.jpg',
    width: 1080,
    height: 1080,
    headline: 'Winter blend',
    line: 'Plum, cocoa',
  },
  {
    ...cedar,
    file: 'winter-blend-landscape.jpg',
    width: 1200,
    height: 628,
    headline: 'Winter blend',
    line: 'Freshly roasted',
  },
  {
    ...cedar,
    file: 'cedar-mark.png',
    width: 128,
    height: 128,
    headline: '',
    shape: 'mark',
    is_transparent: true,
  },
  {
    file: 'trial-banner.jpg',
    width: 600,
    height: 314,
    from: '#1f2a44',
    to: '#3f6ad8',
    ink: '#ffffff',
    headline: '新年免費體驗',
    shape: 'dumbbell',
  },
  {
    file: 'norway-cruise.jpg',
    width: 1600,
    height: 1000,
    from: '#dfeaf5',
    to: '#7fa6cc',
    ink: '#12304f',
    headline: 'Norway',
    line: '12 nights by sea',
    shape: 'ship',
  },
  {
    file: 'agency-cover.png',
    width: 1200,
    height: 628,
    from: '#eef2ff',
    to: '#c3cffb',
    ink: '#1e3a8a',
    headline: 'Plan 2027',
    shape: 'peaks',
  },
]

const shapes: Record<Drawing['shape'], string> = {
  bottle:
    '<rect x="-70" y="-60" width="140" height="250" rx="26"/><rect x="-30" y="-120" width="60" height="52" rx="8"/><rect x="-44" y="-70" width="88" height="18" rx="6" opacity=".7"/><rect x="-48" y="20" width="96" height="110" rx="8" fill="#fff" opacity=".85"/>',
  cup: '<path d="M-110 -60 h190 v120 a95 95 0 0 1 -190 0z"/><path d="M80 -40 h26 a44 44 0 0 1 0 88 h-26" fill="none" stroke="currentColor" stroke-width="18"/><path d="M-60 -100 q20 -30 0 -60 M-10 -100 q20 -30 0 -60 M40 -100 q20 -30 0 -60" fill="none" stroke="currentColor" stroke-width="10" stroke-linecap="round" opacity=".5"/>',
  peaks:
    '<path d="M-190 120 L-70 -90 L0 20 L60 -60 L190 120z"/><circle cx="110" cy="-100" r="34" opacity=".6"/>',
  dumbbell:
    '<rect x="-130" y="-14" width="260" height="28" rx="10"/><rect x="-150" y="-60" width="36" height="120" rx="10"/><rect x="-190" y="-40" width="30" height="80" rx="10"/><rect x="114" y="-60" width="36" height="120" rx="10"/><rect x="160" y="-40" width="30" height="80" rx="10"/>',
  ship: '<path d="M-200 40 h400 l-50 90 h-300z"/><rect x="-120" y="-20" width="240" height="56" rx="6" opacity=".8"/><rect x="-70" y="-72" width="150" height="48" rx="6" opacity=".6"/><rect x="10" y="-120" width="40" height="50" rx="4"/>',
  mark: '<circle r="150" opacity=".25"/><path d="M-90 90 L0 -110 L90 90z" />',
}

function svgOf({
  width,
  height,
  from,
  to,
  ink,
  headline,
  line = '',
  shape,
  is_transparent,
}: Drawing): string {
  const isWide = width > height * 1.2
  const unit = Math.min(width, height)
  const size = unit / (isWide ? 8 : 11)
  const [x, y] = isWide ? [width * 0.07, height * 0.48] : [width * 0.09, height * 0.16]
  const scale = (unit / 628) * (isWide ? 1.15 : 1.35)
  const at =
    headline === ''
      ? [width / 2, height / 2]
      : isWide
        ? [width - unit * 0.55, height / 2]
        : [width / 2, height * 0.6]
  const markScale = shape === 'mark' ? unit / 380 : scale
  const back = is_transparent
    ? ''
    : `<rect width="100%" height="100%" fill="url(#g)"/><circle cx="${width * 0.86}" cy="${height * 0.16}" r="${unit * 0.32}" fill="#fff" opacity=".35"/><circle cx="${width * 0.12}" cy="${height * 0.94}" r="${unit * 0.4}" fill="#fff" opacity=".22"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs>
    ${back}
    <g transform="translate(${shape === 'mark' && headline !== '' ? unit / 2 : at[0]} ${shape === 'mark' && headline !== '' ? height / 2 : at[1]}) scale(${markScale})" fill="${ink}" color="${ink}">${shapes[shape]}</g>
    <g font-family="Noto Sans TC, sans-serif" fill="${ink}">
      <text x="${shape === 'mark' ? unit * 1.1 : x}" y="${shape === 'mark' ? height * 0.66 : y}" font-size="${shape === 'mark' ? unit / 2 : size}" font-weight="700">${headline}</text>
      <text x="${x}" y="${y + size * 1.2}" font-size="${size * 0.52}" opacity=".85">${line}</text>
    </g></svg>`
}

await mkdir(out, { recursive: true })
for (const drawing of drawings) {
  const picture = sharp(Buffer.from(svgOf(drawing)))
  const bytes = drawing.file.endsWith('.png')
    ? await picture.png({ palette: true, quality: 90, effort: 10 }).toBuffer()
    : await picture.flatten({ background: '#fff' }).jpeg({ quality: 82, mozjpeg: true }).toBuffer()
  await writeFile(join(out, drawing.file), bytes)
}

// A countdown that moves.
const frames = await Promise.all(
  ['3', '2', '1', '!'].map(headline =>
    sharp(Buffer.from(svgOf({ ...aurora, file: '', width: 600, height: 600, headline, line: '倒數' })))
      .png()
      .toBuffer(),
  ),
)
await writeFile(
  join(out, 'countdown.webp'),
  await sharp(frames, { join: { animated: true } })
    .webp({ quality: 70, delay: [700, 700, 700, 1400], loop: 0 })
    .toBuffer(),
)

/** One page with a title and lines in Helvetica. */
async function pdf(file: string, title: string, lines: readonly string[]) {
  const text = (size: number, words: string, y: number) => `BT /F ${size} Tf 64 ${y} Td (${words}) Tj ET`
  const content = [text(24, title, 740), ...lines.map((line, at) => text(12, line, 690 - at * 26))].join('\n')
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  let [body, table] = ['%PDF-1.4\n', `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`]
  for (const [at, object] of objects.entries()) {
    table += `${String(body.length).padStart(10, '0')} 00000 n \n`
    body += `${at + 1} 0 obj\n${object}\nendobj\n`
  }
  const trailer = `trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`
  await writeFile(join(out, file), body + table + trailer)
}

await pdf('brand-guide.pdf', 'Aurora Cosmetics: brand guide', [
  'The logo stands alone: one third of its height stays empty around it.',
  'Rose 6D2743 on FBE9EF. Never on photographs of faces.',
  'Prices are written without decimals, and offers with their last day.',
])
await pdf('storyboard.pdf', 'Winter blend: 15 seconds', [
  '0-4 s. A grinder starts in the dark.',
  '4-10 s. Steam, a window, first snow.',
  '10-15 s. The cup, the name, the price in yen.',
])

const cell = (text: string | number) =>
  typeof text === 'number' ? `<c><v>${text}</v></c>` : `<c t="inlineStr"><is><t>${text}</t></is></c>`
const plan = [
  ['Channel', 'Start', 'End', 'Budget'],
  ['Meta', '2026-11-01', '2026-12-31', 480_000],
  ['Google Ads', '2026-11-01', '2026-12-31', 360_000],
  ['LINE', '2026-11-15', '2026-12-15', 150_000],
]
const office = 'http://schemas.openxmlformats.org'
await writeFile(
  join(out, 'media-plan.xlsx'),
  zipSync(
    Object.fromEntries(
      Object.entries({
        '[Content_Types].xml': `<?xml version="1.0"?><Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/sheet.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
        '_rels/.rels': `<?xml version="1.0"?><Relationships xmlns="${office}/package/2006/relationships"><Relationship Id="a" Type="${office}/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
        'xl/workbook.xml': `<?xml version="1.0"?><workbook xmlns="${office}/spreadsheetml/2006/main" xmlns:r="${office}/officeDocument/2006/relationships"><sheets><sheet name="Q4" sheetId="1" r:id="a"/></sheets></workbook>`,
        'xl/_rels/workbook.xml.rels': `<?xml version="1.0"?><Relationships xmlns="${office}/package/2006/relationships"><Relationship Id="a" Type="${office}/officeDocument/2006/relationships/worksheet" Target="sheet.xml"/></Relationships>`,
        'xl/sheet.xml': `<?xml version="1.0"?><worksheet xmlns="${office}/spreadsheetml/2006/main"><sheetData>${plan.map(row => `<row>${row.map(cell).join('')}</row>`).join('')}</sheetData></worksheet>`,
      }).map(([name, text]) => [name, strToU8(text)]),
    ),
    { mtime: '2026-01-01' },
  ),
)
await writeFile(
  join(out, 'placements.csv'),
  'placement,width,height\nhome banner,1200,628\narticle square,1080,1080\nside,600,400\n',
)
await writeFile(
  join(out, 'copy-deck.txt'),
  '秋日保濕\n主標：喝飽水的肌膚\n副標：保濕精華 30 ml，全系列 8 折起\n行動呼籲：立即選購\n',
)
