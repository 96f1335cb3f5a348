import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Mailbox, OpenedMail } from '#shared/api/mailbox.ts'
import { client } from '#web/client/client.ts'
import { rowsOf } from '#web/client/list-pages.ts'
import type { Problem } from '#web/client/problem.ts'

const PATH = '/api/demo/mailbox/'
export const MAILBOX_PAGE = 10

/** Polled: no event announces a new mail. */
const AGAIN_MS = 5000

export function useMailbox(page: number) {
  return useQuery<Mailbox, Problem>({
    queryKey: ['mailbox', page],
    queryFn: ({ signal }) => client.get(PATH, { query: { ...rowsOf(page, MAILBOX_PAGE) }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN_MS,
  })
}

export function useMail(id: number) {
  return useQuery<OpenedMail, Problem>({
    queryKey: ['mailbox', 'mail', id],
    queryFn: ({ signal }) => client.get(`${PATH}${id}/`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
