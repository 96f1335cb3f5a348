import { conversionRoutes } from './conversion-routes.ts'
import { labelRoutes } from './label-routes.ts'
import { metricRoutes } from './metric-routes.ts'
import { rateImportRoute } from './rate-import-route.ts'
import { rateRoutes } from './rate-routes.ts'

export const insightSettingsRoutes = [
  ...metricRoutes,
  ...conversionRoutes,
  ...labelRoutes,
  ...rateRoutes,
  rateImportRoute,
]
