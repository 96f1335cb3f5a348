import type { Pictures } from './picture.ts'

/** Loads the library with the first picture: it takes 40 MB, and most processes never see one. */
export function laterPictures(): Pictures {
  let opened: Promise<Pictures> | undefined
  const open = async () => (await import('./picture.ts')).openPictures()
  return {
    read: async bytes => (await (opened ??= open())).read(bytes),
    cut: async (picture, to) => (await (opened ??= open())).cut(picture, to),
  }
}
