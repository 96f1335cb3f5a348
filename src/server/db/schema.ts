import type {
  CalculatedMetricTable,
  ConversionDefinitionTable,
  MetricLabelTable,
} from './tables/insight-settings.ts'
import type {
  AudienceChunkTable,
  AudienceShareTable,
  AudienceTable,
  AudienceUploadBatchTable,
  AudienceUploadTable,
  ErasureAccountTable,
  ErasureTable,
  SuppressedMemberTable,
} from './tables/audiences.ts'
import type { Generated } from 'kysely'
import type { LinkCheckTable, LinkPresetTable, LinkTable } from './tables/links.ts'
import type {
  BlobTable,
  FileTable,
  ImageTable,
  PublisherTable,
  SiteTable,
  UploadCountTable,
} from './tables/materials.ts'
import type { TargetAudienceListTable, TargetAudienceTable } from './tables/target-audiences.ts'
import type { ImageType } from '#shared/images.ts'
import type {
  UsersTable,
  RefreshFamilyTable,
  RefreshTokenTable,
  SignInFailureTable,
  RefusedSignInTable,
  PasswordLinkTable,
  SecondFactorTable,
} from './tables/people.ts'
import type {
  ConnectStateTable,
  PlatformAppTable,
  PublicAccountPermissionTable,
  PublicAccountServiceTable,
  PublicAccountTable,
  AdAccountTable,
  SpendDayTable,
  SpendAccountTable,
  UaArchiveDayTable,
  FilterValueTable,
} from './tables/accounts.ts'
import type {
  BusinessAdAccountTable,
  BusinessMemberTable,
  BusinessRefreshTable,
  BusinessTable,
} from './tables/businesses.ts'
import type {
  AdjustmentTable,
  BillingMonthTable,
  LockedAccountTable,
  PaymentTable,
  PlatformInvoiceTable,
  QuotationFileTable,
  QuotationLineTable,
  QuotationTable,
  RateTable,
  ReceiptTable,
  SpendMonthTable,
  StatementLineTable,
  StatementTable,
} from './tables/billing.ts'
import type {
  AdvertiserTable,
  AgentTable,
  FeeAgreementTable,
  IndustryTable,
  IssuerTable,
} from './tables/customers.ts'
import type {
  FolderTable,
  ReportTable,
  EndedShareTable,
  ReportShareTable,
  ReportViewTable,
  ReportVersionTable,
  BulkOperationTable,
  BulkChangeTable,
  SpreadsheetBindingTable,
  SpreadsheetCreationTable,
} from './tables/reports.ts'
import type {
  ExecutionTable,
  SharedFetchTable,
  RunTable,
  SpreadsheetWriteTable,
  QuotaTable,
  QuotaSlotTable,
} from './tables/runs.ts'
import type {
  AuditTable,
  NotificationTable,
  SupportIssueTable,
  IncidentTable,
  MailTable,
} from './tables/messages.ts'

/**
 * The tables of db/migrations as Kysely sees them: bigint is a number (checked to be safe), date is
 * 'yyyy-MM-dd', time is 'HH:mm:ss', timestamptz is a Date.
 */
export interface Database {
  business: BusinessTable
  business_ad_account: BusinessAdAccountTable
  business_member: BusinessMemberTable
  business_refresh: BusinessRefreshTable
  users: UsersTable
  refresh_family: RefreshFamilyTable
  refresh_token: RefreshTokenTable
  sign_in_failure: SignInFailureTable
  refused_sign_in: RefusedSignInTable
  password_link: PasswordLinkTable
  second_factor: SecondFactorTable
  second_factor_enrolment: { user_id: number; secret: Uint8Array; expires_at: Date }
  recovery_code: { user_id: number; hash: Uint8Array; used_at: Date | null }
  advertiser: AdvertiserTable
  advertiser_member: { advertiser: number; user_id: number }
  public_account: PublicAccountTable
  public_account_service: PublicAccountServiceTable
  public_account_permission: PublicAccountPermissionTable
  public_account_user: { id: Generated<number>; public_account: number; user_id: number }
  platform_app: PlatformAppTable
  connect_state: ConnectStateTable
  ad_account: AdAccountTable
  filter_value: FilterValueTable
  audit: AuditTable
  folder: FolderTable
  report: ReportTable
  report_share: ReportShareTable
  ended_share: EndedShareTable
  report_favourite: { report: number; user_id: number; created_at: Generated<Date> }
  report_view: ReportViewTable
  report_version: ReportVersionTable
  report_transfer: { report: number; from_owner: number; folder: number | null; transferred_at: Date }
  report_account: { report: number; block: number; ad_account: number }
  bulk_operation: BulkOperationTable
  bulk_change: BulkChangeTable
  spreadsheet_binding: SpreadsheetBindingTable
  spreadsheet_creation: SpreadsheetCreationTable
  spreadsheet_system_user: { spreadsheet_id: string; address: string; learned_at: Generated<Date> }
  spreadsheet_code: { spreadsheet_id: string; user_id: number; code: string; expires_at: Date }
  execution: ExecutionTable
  execution_run: { execution: string; run: string; position: number }
  run: RunTable
  run_job: { run: string; key: string; job: string; begun_at: Generated<Date> }
  run_chunk: { run: string; attempt: number; seq: number; first_row: number; rows: number; bytes: Uint8Array }
  spreadsheet_write: SpreadsheetWriteTable
  spreadsheet_lease: { spreadsheet_id: string; run: string; attempt: number; until: Date }
  quota: QuotaTable
  shared_fetch: SharedFetchTable
  quota_slot: QuotaSlotTable
  incident: IncidentTable
  notification: NotificationTable
  mail: MailTable
  support_issue: SupportIssueTable
  support_addition: { id: Generated<number>; issue: number; text: string; created_at: Date }
  support_image: { issue: number; type: ImageType; width: number; height: number; bytes: Uint8Array }
  industry: IndustryTable
  agent: AgentTable
  fee_agreement: FeeAgreementTable
  issuer: IssuerTable
  number_series: { series: 'Q' | 'P'; year: number; last: number }
  quotation: QuotationTable
  quotation_line: QuotationLineTable
  quotation_line_account: { line: number; ad_account: number }
  quotation_file: QuotationFileTable
  payment: PaymentTable
  receipt: ReceiptTable
  spend_month: SpendMonthTable
  billing_month: BillingMonthTable
  platform_invoice: PlatformInvoiceTable
  adjustment: AdjustmentTable
  rate: RateTable
  calculated_metric: CalculatedMetricTable
  conversion_definition: ConversionDefinitionTable
  metric_label: MetricLabelTable
  statement: StatementTable
  statement_line: StatementLineTable
  locked_account: LockedAccountTable
  spend_day: SpendDayTable
  spend_account: SpendAccountTable
  ua_archive_day: UaArchiveDayTable
  ua_archive_row: { archive_day: number; keys: string[]; figures: string[] }
  site: SiteTable
  publisher: PublisherTable
  target_audience: TargetAudienceTable
  target_audience_list: TargetAudienceListTable
  link: LinkTable
  link_check: LinkCheckTable
  link_preset: LinkPresetTable
  blob: BlobTable
  image: ImageTable
  file: FileTable
  upload_count: UploadCountTable
  audience: AudienceTable
  audience_upload: AudienceUploadTable
  audience_upload_batch: AudienceUploadBatchTable
  audience_chunk: AudienceChunkTable
  audience_share: AudienceShareTable
  suppressed_member: SuppressedMemberTable
  erasure: ErasureTable
  erasure_account: ErasureAccountTable
  setting: { name: string; value: Uint8Array; created_at: Generated<Date> }
}
