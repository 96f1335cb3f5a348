/**
 * Every key that does something beyond what all pages do, by where it works, for the list that `?` shows; the
 * keys of pages follow from the menu. A list of keys is pressed one after the other; `mod` is Ctrl, or ⌘ on a
 * Mac.
 */
export const shortcuts = [
  {
    where: 'anywhere',
    keys: [
      { does: 'palette', keys: ['mod K'] },
      { does: 'search', keys: ['/'] },
      { does: 'new_report', keys: ['N'] },
      { does: 'help', keys: ['?'] },
      { does: 'close', keys: ['Esc'] },
    ],
  },
  {
    where: 'editor',
    keys: [
      { does: 'save', keys: ['mod S'] },
      { does: 'undo', keys: ['mod Z'] },
      { does: 'redo', keys: ['mod Shift Z'] },
      { does: 'reorder', keys: ['←', '→'] },
    ],
  },
  {
    where: 'folders',
    keys: [
      { does: 'move', keys: ['↑', '↓'] },
      { does: 'unfold', keys: ['→', '←'] },
      { does: 'open', keys: ['Enter'] },
      { does: 'rename', keys: ['F2'] },
      { does: 'delete', keys: ['Delete'] },
      { does: 'menu', keys: ['Shift F10'] },
    ],
  },
  {
    where: 'sheets',
    keys: [
      { does: 'cell', keys: ['↑', '↓', '←', '→'] },
      { does: 'screen', keys: ['PgUp', 'PgDn'] },
      { does: 'ends', keys: ['mod Home', 'mod End'] },
    ],
  },
  { where: 'charts', keys: [{ does: 'point', keys: ['←', '→'] }] },
] as const
