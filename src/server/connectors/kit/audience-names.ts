import type { Target } from '#server/connectors/audience.ts'

type Named = Pick<Target, 'part' | 'audience'>

/**
 * What an audience is called at a platform that has a name for it and nothing else: it ends with the tag, so
 * that it is found again after a lost response.
 */
export function externalName(target: Named, longest: number): string {
  const ending = endingOf(target)
  const name = target.audience.name.slice(0, longest - ending.length)
  // A character of two units may have been cut in half.
  return name.replace(/[\uD800-\uDBFF]$/, '').trimEnd() + ending
}

export const isNamedFor = (target: Named, name: string) => name.endsWith(endingOf(target))

const endingOf = ({ part, audience }: Named) => ` (${part.part}, ${audience.tag})`
