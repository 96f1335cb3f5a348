import { useMutation, useQuery } from '@tanstack/react-query'
import type {
  Disconnection,
  DisconnectReply,
  FinishConnect,
  FinishConnectReply,
  LoginKeeper,
  LoginPermission,
  LoginService,
  StartConnect,
  StartConnectReply,
  UpdatePlatformApp,
} from '#shared/api/connections.ts'
import type { ImportReply, PublicAccountPlatform } from '#shared/api/public-accounts.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'
import { useReload } from '#web/client/use-reload.ts'
import { PATH } from './data.ts'
import { leaveToConnect } from './nonce.ts'

const PERMISSIONS = '/api/public-account-permission/'
const KEEPERS = '/api/public-account-user/'
const SERVICES = '/api/public-account-service/'
const disconnectPath = (id: number) => `${PATH}${id}/disconnect/`

/** Leaves for the page of the platform. */
export const useStartConnect = () =>
  useMutation<StartConnectReply, Problem, StartConnect>({
    gcTime: 0,
    mutationFn: body => client.post(`${PATH}connect/`, { body }),
    onSuccess: leaveToConnect,
  })

/** Codes and nonces are discarded with the page. */
export function useFinishConnect() {
  const reload = useReload('public-accounts', 'accounts', 'login-services')
  return useMutation<FinishConnectReply, Problem, FinishConnect>({
    gcTime: 0,
    mutationFn: body => client.post(`${PATH}connect/finish/`, { body }),
    onSuccess: reload,
  })
}

export function useImport(id: number) {
  const reload = useReload('public-accounts', 'accounts')
  return useMutation<ImportReply, Problem, void>({
    mutationFn: () => client.post(`${PATH}${id}/import-accounts/`),
    onSettled: reload,
  })
}

export const useServices = (login: number) =>
  useQuery<LoginService[], Problem>({
    queryKey: ['login-services', login],
    queryFn: ({ signal }) => client.get(SERVICES, { query: { public_account: login }, signal }),
  })

export function useSetService() {
  const reload = useReload('login-services')
  return useMutation<LoginService, Problem, { id: number; enabled: boolean }>({
    mutationFn: ({ id, enabled }) => client.patch(`${SERVICES}${id}/`, { body: { enabled } }),
    onSuccess: reload,
  })
}

export const usePermissions = (login: number) =>
  useQuery<LoginPermission[], Problem>({
    queryKey: ['login-services', login, 'permissions'],
    queryFn: ({ signal }) => client.get(PERMISSIONS, { query: { public_account: login }, signal }),
  })

export function useCheckPermissions(login: number) {
  const reload = useReload('login-services')
  return useMutation<LoginPermission[], Problem, void>({
    mutationFn: () => client.post(`${PERMISSIONS}check/`, { body: { public_account: login } }),
    onSuccess: reload,
  })
}

export const useKeepers = (login: number | null) =>
  useQuery<LoginKeeper[], Problem>({
    queryKey: ['login-keepers', login],
    queryFn: ({ signal }) =>
      client.get(KEEPERS, { ...(login !== null && { query: { public_account: login } }), signal }),
  })

export function useAddKeeper(login: number, onAdded: () => void) {
  const reload = useReload('login-keepers')
  return useMutation<LoginKeeper, Problem, number>({
    mutationFn: user => client.post(KEEPERS, { body: { public_account: login, user } }),
    onSuccess: async () => {
      onAdded()
      await reload()
    },
  })
}

export function useRemoveKeeper() {
  const reload = useReload('login-keepers')
  return useMutation<void, Problem, number>({
    mutationFn: id => client.delete(`${KEEPERS}${id}/`),
    onSuccess: reload,
  })
}

export const useWhatStops = (login: number) =>
  useQuery<Disconnection, Problem>({
    queryKey: ['public-accounts', login, 'what-stops'],
    queryFn: ({ signal }) => client.get(disconnectPath(login), { signal }),
    gcTime: 0,
  })

export function useDisconnect(login: number, onDone: (reply: DisconnectReply) => void) {
  const reload = useReload('public-accounts', 'accounts')
  return useMutation<DisconnectReply, Problem, void>({
    mutationFn: () => client.post(disconnectPath(login)),
    onSuccess: async reply => {
      onDone(reply)
      await reload()
    },
  })
}

export function useChangeApp(platform: string, onSaved: () => void) {
  const reload = useReload('public-account-platforms')
  return useMutation<PublicAccountPlatform, Problem, UpdatePlatformApp>({
    gcTime: 0,
    mutationFn: body => client.patch(`/api/public-account-platform/${platform}/`, { body }),
    onSuccess: async () => {
      onSaved()
      await reload()
    },
  })
}
