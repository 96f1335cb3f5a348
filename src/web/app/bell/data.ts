import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Notification, NotificationList, ReadNotifications } from '#shared/api/notifications.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'

const PATH = '/api/notifications/'
const PAGE = 10

/** How many notices are unread; the stream says when that changes. */
export function useUnread(): number {
  const { data } = useQuery<number, Problem>({
    queryKey: ['notifications', 'unread'],
    queryFn: async ({ signal }) =>
      (await client.get<NotificationList>(PATH, { query: { limit: 1, unread: 'true' }, signal })).unread,
    // In case the stream does not get through.
    refetchInterval: 60_000,
  })
  return data ?? 0
}

/** The person's notifications, newest first, loaded ten at a time. */
export function useNotices() {
  return useInfiniteQuery<NotificationList, Problem, Notification[], string[], number>({
    queryKey: ['notifications', 'list'],
    queryFn: ({ pageParam, signal }) =>
      client.get(PATH, { query: { limit: PAGE, offset: pageParam }, signal }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.next === null ? undefined : pages.length * PAGE),
    // A notification that arrived in between pushes some onto the next page, where they would repeat.
    select: ({ pages }) => [
      ...new Map(pages.flatMap(page => page.results).map(notice => [notice.id, notice])).values(),
    ],
  })
}

export function useMarkRead() {
  const queries = useQueryClient()
  return useMutation<{ unread: number }, Problem, ReadNotifications>({
    mutationFn: body => client.post(`${PATH}read/`, { body }),
    onSuccess: ({ unread }) => {
      queries.setQueryData(['notifications', 'unread'], unread)
      void queries.invalidateQueries({ queryKey: ['notifications', 'list'] })
    },
  })
}

/** The newest unread notifications, to be shown as toasts. */
export const fetchNewest = (limit: number) =>
  client.get<NotificationList>(PATH, { query: { limit, unread: 'true' } })
