import { useMatches } from '@tanstack/react-router'
import { mayReach } from '#shared/access.ts'
import { useMe } from '#web/client/me.ts'

/** Whether the open page is for this person. The server decides the same by itself. */
export function useMayOpen(): boolean {
  const me = useMe()
  return useMatches({
    select: matches =>
      matches.every(({ staticData: { reach } }) => reach === undefined || mayReach(me, reach)),
  })
}
