import type { Route } from './http/route.ts'
import { eventsRoutes } from './resources/events/routes.ts'
import { executionsRoutes } from './resources/executions/routes.ts'
import { foldersRoutes } from './resources/folders/routes.ts'
import { peopleRoutes } from './resources/people/routes.ts'
import { reportsRoutes } from './resources/reports/routes.ts'
import { sharingRoutes } from './resources/reports/sharing.ts'
import { runsRoutes } from './resources/runs/routes.ts'
import { sessionRoutes } from './resources/session/routes.ts'

/** Every call of the API. */
export const routes: readonly Route[] = [
  ...sessionRoutes,
  ...peopleRoutes,
  ...foldersRoutes,
  ...reportsRoutes,
  ...executionsRoutes,
  ...runsRoutes,
  ...eventsRoutes,
  ...sharingRoutes,
]
