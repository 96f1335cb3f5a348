import type { Ga4Io, Metadata } from './schema.ts'

/** Notes what GA4 says about its numbers: that they are estimates, or lack something. */
export function noteLimits(metadata: Metadata, { note }: Pick<Ga4Io, 'note'>): void {
  const { samplingMetadatas, dataTruncationReasons, schemaRestrictionResponse } = metadata
  const [sampling] = samplingMetadatas
  if (sampling) {
    const share = Number(sampling.samplesReadCount) / Number(sampling.samplingSpaceSize)
    note({
      code: 'sampled',
      detail: Number.isFinite(share) ? { percent: Math.round(share * 1000) / 10 } : {},
    })
  }
  if (metadata.subjectToThresholding) note({ code: 'thresholded', detail: {} })
  if (metadata.dataLossFromOtherRow) note({ code: 'other_row', detail: {} })
  // The form of a reason is not documented yet: it is noted as it came.
  if (dataTruncationReasons.length > 0)
    note({ code: 'truncated', detail: { reasons: JSON.stringify(dataTruncationReasons).slice(0, 1000) } })
  const restricted = schemaRestrictionResponse?.activeMetricRestrictions ?? []
  if (restricted.length > 0) {
    const metrics = restricted.map(({ metricName }) => metricName).join(', ')
    note({ code: 'metrics_restricted', detail: { metrics } })
  }
}
