import { plainPartOf } from '#shared/plain-text.ts'

/** As a name is stored: `name` of shared/api/materials.ts. */
const LONGEST = 200

/**
 * As a name is stored, also one that a person has typed: a file's own, without where it was on somebody's
 * computer. '': it has none.
 */
export const storedName = (name: string): string =>
  trimmed(
    cut(
      trimmed(
        plainPartOf(
          ESCAPES.reduce((text, [from, to]) => text.replaceAll(from, to), name)
            .split(/[/\\]/)
            .at(-1) ?? '',
        ),
      ),
    ),
  )

/** Without what hides files, and what Windows cuts off. */
const trimmed = (name: string) => name.replaceAll(/^[.\s]+|[.\s]+$/g, '')

/** As browsers write these in the head of a part. */
const ESCAPES = [
  ['%22', '"'],
  ['%0D', ''],
  ['%0A', ''],
] as const

/**
 * The name with the first of these endings, unless it ends with one of them. Before, it loses endings of
 * other kinds and of programs.
 */
export function withEnding(name: string, endings: readonly [string, ...string[]]): string {
  let stem = name
  for (let ending = endingOf(stem); !endings.includes(ending); ending = endingOf(stem)) {
    if (!otherEndings.has(ending)) return cut(`${stem}.${endings[0]}`)
    stem = stem.slice(0, -ending.length - 1)
  }
  return cut(stem)
}

/** In lower case; '': none. */
export const endingOf = (name: string): string =>
  /[^.]\.([a-z\d]{1,12})$/i.exec(name)?.[1]?.toLowerCase() ?? ''

/** Whether a system would run a file of this name, or a browser show it as a page. */
export const isOfProgram = (name: string): boolean => programs.has(endingOf(name))

/**
 * Those of kinds whose content leaves no doubt; other kinds share theirs, as .ai is a PDF and .sketch a ZIP.
 */
export const endingsOf: ReadonlyMap<string, [string, ...string[]]> = new Map([
  ['image/png', ['png']],
  ['image/apng', ['png', 'apng']],
  ['image/jpeg', ['jpg', 'jpeg', 'jpe', 'jfif']],
  ['image/gif', ['gif']],
  ['image/webp', ['webp']],
  ['application/pdf', ['pdf', 'ai']],
  ['video/mp4', ['mp4', 'm4v']],
  ['video/quicktime', ['mov', 'qt']],
  ['audio/mpeg', ['mp3']],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', ['docx']],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', ['xlsx']],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', ['pptx']],
])
const certain = new Set([...endingsOf.values()].flat())

/**
 * What a file of this kind may be called when somebody wants to call it so: with an ending, where one is
 * known, and with none of another kind. `ending`: the usual one. null: nothing says that it is no program,
 * and that is what it would be called.
 */
export function nameOfKind(name: string, { mime, ending }: { mime: string; ending?: string }): string | null {
  const own = endingOf(name)
  const endings = endingsOf.get(mime)
  if (endings && (own === '' || certain.has(own) || isOfProgram(name))) return withEnding(name, endings)
  if (own !== '' && !isOfProgram(name)) return name
  if (ending !== undefined) return withEnding(name, [ending])
  return own === '' ? name : null
}

const programs = new Set(
  (
    'exe dll com scr pif cpl sys drv ocx msi msp mst msix appx bat cmd ps1 psm1 psd1 vbs vbe js mjs cjs jse wsf wsh wsc hta lnk url ' +
    'inf reg scf chm jar class apk ipa app deb rpm sh bash zsh csh fish command run elf so dylib py pyc pyw pl rb php phtml ' +
    'php3 php4 php5 php7 phar asp aspx ashx jsp jspx cgi htm html xhtml xht shtml svg svgz swf wasm crx xpi applescript scpt desktop'
  ).split(' '),
)
const pictures = [
  'png',
  'jpg',
  'jpeg',
  'jpe',
  'jfif',
  'gif',
  'webp',
  'bmp',
  'tif',
  'tiff',
  'heic',
  'avif',
  'ico',
]
const documents = ['pdf', 'mp4', 'mov', 'mp3', 'docx', 'xlsx', 'pptx', 'zip']
/** Endings that are wrong when the content is of another kind. */
const otherEndings = new Set([...programs, ...pictures, ...documents])

/** The ending stays. No half of a character does. */
function cut(name: string): string {
  if (name.length <= LONGEST) return name
  const ending = /\.[a-z\d]{1,12}$/i.exec(name)?.[0] ?? ''
  const stem = name.slice(0, LONGEST - ending.length)
  return (/[\ud800-\udbff]$/.test(stem) ? stem.slice(0, -1) : stem) + ending
}
