import { z } from 'zod'
import { splitCommand } from './command-line.ts'
import { secret, webUrl } from './config-values.ts'

/** Where images and files are stored, and what checks them. */
export const fileSettings = {
  /** A program that reads an upload from its standard input and says by its exit code whether it is clean. */
  files_scan_command: z
    .string()
    .transform((line, context) => {
      const command = splitCommand(line)
      if (command) return command
      context.addIssue({ code: 'custom', message: 'must be a program and its arguments, with closed quotes' })
      return z.NEVER
    })
    .nullable()
    .default(null),
  /** Of storage that speaks S3; left out: files are in the data folder. */
  files_s3_bucket: z
    .string()
    .regex(/^[\w.-]{3,63}$/, 'must be the name of a bucket, without an address')
    .nullable()
    .default(null),
  /** Left out: Amazon's. */
  files_s3_endpoint: webUrl.nullable().default(null),
  files_s3_region: z
    .string()
    .regex(/^[\w-]+$/, 'must be a region such as ap-northeast-1')
    .default('us-east-1'),
  files_s3_access_key: secret,
  files_s3_secret_key: secret,
  /** Of all names in the bucket, such as sheetcast/; left out: files are at its top. */
  files_s3_prefix: z
    .string()
    .transform(prefix => `${prefix.replaceAll(/^\/+|\/+$/g, '')}/`)
    .pipe(z.string().regex(/^[\w.-]+(\/[\w.-]+)*\/$/, 'must be folders of letters, digits, dots and hyphens'))
    .default(''),
}

type FileSettings = z.infer<z.ZodObject<typeof fileSettings>>

/** What is set of the storage without the rest of it. */
export function whyNoFiles(settings: FileSettings): string[] {
  const {
    files_s3_bucket: bucket,
    files_s3_access_key: access_key,
    files_s3_secret_key: secret_key,
  } = settings
  if (bucket !== null)
    return [
      ...(access_key === null ? ['FILES_S3_ACCESS_KEY is missing: FILES_S3_BUCKET needs its keys'] : []),
      ...(secret_key === null ? ['FILES_S3_SECRET_KEY is missing: FILES_S3_BUCKET needs its keys'] : []),
    ]
  const others = {
    access_key,
    secret_key,
    endpoint: settings.files_s3_endpoint,
    prefix: settings.files_s3_prefix,
  }
  const set = Object.entries(others).flatMap(([name, value]) =>
    value ? [`FILES_S3_${name.toUpperCase()}`] : [],
  )
  return set.length > 0 ? [`FILES_S3_BUCKET is missing: ${set.join(', ')} would have no effect`] : []
}
