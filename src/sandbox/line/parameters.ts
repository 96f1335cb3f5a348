import { refused } from './errors.ts'

/** The parameters of an address, each read under its rule; what nobody read is refused. */
export interface Parameters {
  text(name: string): string | null
  /** A parameter that may occur several times. */
  all(name: string): string[]
  whole(name: string, bounds: { usual: number; most: number }): number
  flag(name: string, usual: boolean): boolean
  refuseUnknown(): void
}

export function parametersOf({ searchParams }: URL): Parameters {
  const read = new Set<string>()
  const all = (name: string) => {
    read.add(name)
    return searchParams.getAll(name)
  }
  const text = (name: string): string | null => {
    const values = all(name)
    if (values.length > 1) throw refused('INVALID_VALUE', name)
    return values[0] ?? null
  }
  return {
    text,
    all,
    whole(name, { usual, most }) {
      const value = text(name)
      if (value === null) return usual
      if (!/^\d{1,9}$/.test(value)) throw refused('INVALID_FORMAT', name)
      const number = Number(value)
      if (number < 1 || number > most) throw refused('OUT_OF_RANGE', name)
      return number
    },
    flag(name, usual) {
      const value = text(name)
      if (value === null) return usual
      if (value !== 'true' && value !== 'false') throw refused('INVALID_VALUE', name)
      return value === 'true'
    },
    refuseUnknown() {
      const unknown = [...searchParams.keys()].find(name => !read.has(name))
      if (unknown !== undefined) throw refused('INVALID_REQUEST', unknown)
    },
  }
}
