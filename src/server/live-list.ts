/**
 * A list that is, each time it is read, what `current` returns then: for what is handed on once and may
 * change while the process runs.
 */
export const liveList = <Item>(current: () => readonly Item[]): readonly Item[] =>
  new Proxy<Item[]>([], {
    get: (_, key) => Reflect.get(current(), key),
    has: (_, key) => Reflect.has(current(), key),
  })
