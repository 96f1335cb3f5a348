import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Report, ReportList } from '#shared/api/reports.ts'
import type {
  AddToIssue,
  CreateIssue,
  EditorCheck,
  Issue,
  IssueList,
  UpdateIssue,
} from '#shared/api/support.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'
import { useReload } from '#web/client/use-reload.ts'
import { useListPage } from '#web/pages/use-list-page.ts'
import type { SupportSearch } from './search.ts'

const PATH = '/api/support/'
const REPORTS = '/api/gs-template-setting/'
export const PAGE_SIZE = 10
export const DEFAULT_ORDERING = '-id'
const MOST_REPORTS = 20

export const useIssues = ({ search, page, ordering = DEFAULT_ORDERING, status }: SupportSearch) =>
  useListPage<IssueList>({
    key: ['support', 'list'],
    path: PATH,
    filters: { search, ordering, ...(status && { status }) },
    page,
    size: PAGE_SIZE,
  })

export const useIssue = (id: number) =>
  useQuery<Issue, Problem>({
    queryKey: ['support', 'one', id],
    queryFn: ({ signal }) => client.get(`${PATH}${id}/`, { signal }),
    staleTime: 0,
  })

/** Whether the reader answers issues. */
export function useIsEditor(): boolean {
  const { data } = useQuery<z.infer<typeof EditorCheck>, Problem>({
    queryKey: ['support', 'editor'],
    queryFn: ({ signal }) => client.get(`${PATH}editor-check`, { signal }),
  })
  return data?.editor ?? false
}

/** Reports that the reader sees, those that were changed last first. */
export const useReportsLike = (search: string) =>
  useQuery<z.infer<typeof ReportList>, Problem>({
    queryKey: ['reports', 'support', search],
    queryFn: ({ signal }) => client.get(REPORTS, { query: { search, limit: MOST_REPORTS }, signal }),
    placeholderData: keepPreviousData,
  })

export const useChosenReport = (id: number | null) =>
  useQuery<Report, Problem>({
    queryKey: ['reports', 'one', id],
    queryFn: ({ signal }) => client.get(`${REPORTS}${id}/`, { signal }),
    enabled: id !== null,
    retry: false,
  })

/** The picture of an issue, for as long as it is open. */
export const useImage = (id: number) =>
  useQuery<Blob, Problem>({
    queryKey: ['support', 'image', id],
    queryFn: async ({ signal }) => await (await client.raw('GET', `${PATH}${id}/image/`, { signal })).blob(),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** As a form, since a picture is binary. */
export const useCreate = () =>
  useChange((issue: CreateIssue) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(issue))
      if (value instanceof File) body.set(name, value)
      else if (value !== null && value !== undefined) body.set(name, String(value))
    return client.post<Issue>(PATH, { body })
  })

export const useUpdate = (id: number) =>
  useChange((body: UpdateIssue) => client.patch<Issue>(`${PATH}${id}/`, { body }))

export const useAdd = (id: number) =>
  useChange((body: AddToIssue) => client.post<Issue>(`${PATH}${id}/additions/`, { body }))

/** A grant changes what may be saved in a report. */
function useChange<Input>(send: (input: Input) => Promise<Issue>) {
  const reload = useReload('support', 'reports')
  return useMutation<Issue, Problem, Input>({ mutationFn: send, onSuccess: reload })
}
