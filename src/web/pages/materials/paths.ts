/** What is stored of campaigns: pictures that platforms show, and everything else. */
export type MaterialKind = 'image' | 'file'

/** Their collections. */
export const materialPaths = { image: '/api/image/', file: '/api/file/' } as const satisfies Record<
  MaterialKind,
  string
>
