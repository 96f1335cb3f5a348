import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Change, ListSearch } from '#web/client/search.ts'
import {
  advertisersSearch,
  agentsSearch,
  industriesSearch,
  type AdvertisersSearch,
  type AgentsSearch,
} from './search.ts'

// What the lists show, all of it in the URL. A change goes back to the first page unless it names one.

export function useAdvertisersView() {
  const view = useSearch({ from: '/shell/customer/advertiser/' })
  const navigate = useNavigate({ from: '/customer/advertiser/' })
  const change = (changed: Change<AdvertisersSearch>) =>
    void navigate({
      search: current => advertisersSearch({ ...current, page: 1, ...changed }),
      replace: 'search' in changed,
    })
  return { view, change }
}

export function useIndustriesView() {
  const view = useSearch({ from: '/shell/customer/industry' })
  const navigate = useNavigate({ from: '/customer/industry' })
  const change = (changed: Change<ListSearch>) =>
    void navigate({
      search: current => industriesSearch({ ...current, page: 1, ...changed }),
      replace: 'search' in changed,
    })
  return { view, change }
}

export function useAgentsView() {
  const view = useSearch({ from: '/shell/customer/agent' })
  const navigate = useNavigate({ from: '/customer/agent' })
  const change = (changed: Change<AgentsSearch>) =>
    void navigate({
      // Opening one beside the list does not leave its page.
      search: current => agentsSearch({ ...current, ...(!('agent' in changed) && { page: 1 }), ...changed }),
      replace: 'search' in changed,
    })
  return { view, change }
}
