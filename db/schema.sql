-- What db/migrations amount to. Written by scripts/schema.ts; do not edit.

create extension pg_trgm;

create table ad_account (
  id bigint not null generated always as identity,
  channel text not null,
  external_id text not null,
  name text not null,
  currency text not null,
  timezone text not null,
  status text not null default 'enabled'::text,
  ecid text,
  advertiser bigint,
  last_checked_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  last_modified_at timestamp with time zone not null default now(),
  provider text not null,
  via text,
  public_account bigint,
  ga_account_id text,
  ga_account_name text,
  property_id text,
  property_name text,
  constraint ad_account_pkey PRIMARY KEY (id),
  constraint ad_account_provider_external_id_key UNIQUE (provider, external_id),
  constraint ad_account_advertiser_fkey FOREIGN KEY (advertiser) REFERENCES advertiser(id) ON DELETE SET NULL,
  constraint ad_account_public_account_fkey FOREIGN KEY (public_account) REFERENCES public_account(id) ON DELETE SET NULL
);
CREATE INDEX ad_account_advertiser ON public.ad_account USING btree (advertiser);
CREATE INDEX ad_account_channel ON public.ad_account USING btree (channel);
CREATE INDEX ad_account_public_account ON public.ad_account USING btree (public_account);
alter table ad_account enable row level security;

create table adjustment (
  id bigint not null generated always as identity,
  advertiser bigint not null,
  channel text not null,
  month date not null,
  concerns_month date not null,
  currency text not null,
  amount bigint not null,
  reason text not null,
  note text not null default ''::text,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  last_modified_at timestamp with time zone not null default now(),
  constraint adjustment_pkey PRIMARY KEY (id),
  constraint adjustment_advertiser_fkey FOREIGN KEY (advertiser) REFERENCES advertiser(id),
  constraint adjustment_amount_check CHECK ((amount <> 0)),
  constraint adjustment_concerns_month_check CHECK ((EXTRACT(day FROM concerns_month) = (1)::numeric)),
  constraint adjustment_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
  constraint adjustment_reason_check CHECK ((reason = ANY (ARRAY['credit'::text, 'invalid_traffic'::text, 'make_good'::text, 'coupon'::text, 'drift'::text, 'other'::text])))
);
CREATE INDEX adjustment_advertiser ON public.adjustment USING btree (advertiser);
CREATE INDEX adjustment_month ON public.adjustment USING btree (month, advertiser);
alter table adjustment enable row level security;

create table advertiser (
  id bigint not null generated always as identity,
  name text not null,
  is_active boolean not null default true,
  created_at timestamp with time zone not null default now(),
  last_modified_at timestamp with time zone not null default now(),
  legal_name text not null default ''::text,
  tax_country text not null default 'TW'::text,
  tax_id text not null default ''::text,
  industry bigint,
  agent bigint,
  website text not null default ''::text,
  address text not null default ''::text,
  contacts jsonb not null default '[]'::jsonb,
  document_language text not null default 'zh-TW'::text,
  billing_currency text,
  tax text not null default 'tw_vat'::text,
  media_billing text not null default 'agency'::text,
  payment_terms jsonb not null default '{"days": 30, "kind": "days"}'::jsonb,
  note text not null default ''::text,
  version integer not null default 1,
  constraint advertiser_pkey PRIMARY KEY (id),
  constraint advertiser_name_key UNIQUE (name),
  constraint advertiser_agent_fkey FOREIGN KEY (agent) REFERENCES agent(id),
  constraint advertiser_industry_fkey FOREIGN KEY (industry) REFERENCES industry(id),
  constraint advertiser_document_language_check CHECK ((document_language = ANY (ARRAY['en'::text, 'zh-TW'::text]))),
  constraint advertiser_media_billing_check CHECK ((media_billing = ANY (ARRAY['agency'::text, 'advance'::text, 'client'::text]))),
  constraint advertiser_tax_check CHECK ((tax = ANY (ARRAY['tw_vat'::text, 'jp_ct'::text, 'zero_rated'::text, 'exempt'::text]))),
  constraint advertiser_tax_country_check CHECK ((tax_country = ANY (ARRAY['TW'::text, 'JP'::text, 'other'::text])))
);
CREATE INDEX advertiser_agent ON public.advertiser USING btree (agent) WHERE (agent IS NOT NULL);
CREATE INDEX advertiser_industry ON public.advertiser USING btree (industry) WHERE (industry IS NOT NULL);
CREATE INDEX advertiser_tax_id ON public.advertiser USING btree (tax_id) WHERE (tax_id <> ''::text);
alter table advertiser enable row level security;

create table advertiser_member (
  advertiser bigint not null,
  user_id bigint not null,
  constraint advertiser_member_pkey PRIMARY KEY (advertiser, user_id),
  constraint advertiser_member_advertiser_fkey FOREIGN KEY (advertiser) REFERENCES advertiser(id) ON DELETE CASCADE,
  constraint advertiser_member_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX advertiser_member_user_id ON public.advertiser_member USING btree (user_id);
alter table advertiser_member enable row level security;

create table agent (
  id bigint not null generated always as identity,
  name text not null,
  tax_country text not null default 'TW'::text,
  tax_id text not null default ''::text,
  address text not null default ''::text,
  commission_rate integer not null default 0,
  commission_base text not null default 'fee'::text,
  contacts jsonb not null default '[]'::jsonb,
  payment_terms jsonb not null default '{"days": 30, "kind": "days"}'::jsonb,
  note text not null default ''::text,
  is_active boolean not null default true,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  last_modified_at timestamp with time zone not null default now(),
  constraint agent_pkey PRIMARY KEY (id),
  constraint agent_commission_base_check CHECK ((commission_base = ANY (ARRAY['fee'::text, 'media'::text]))),
  constraint agent_commission_rate_check CHECK (((commission_rate >= 0) AND (commission_rate <= 10000))),
  constraint agent_tax_country_check CHECK ((tax_country = ANY (ARRAY['TW'::text, 'JP'::text, 'other'::text])))
);
CREATE UNIQUE INDEX agent_name ON public.agent USING btree (lower(name));
alter table agent enable row level security;

create table audience (
  id bigint not null generated always as identity,
  advertiser bigint not null,
  kind text not null,
  name text not null,
  description text not null default ''::text,
  collected_by text,
  basis text,
  confirmed_by bigint,
  confirmed_at timestamp with time zone,
  consent jsonb,
  window_days integer,
  keep_days integer,
  site bigint,
  rule jsonb,
  seed bigint,
  country text,
  ratio integer,
  ga4_view bigint,
  ga4_audience text,
  status text not null default 'draft'::text,
  rows bigint not null default 0,
  expires_at timestamp with time zone,
  is_deleting boolean not null default false,
  created_by bigint,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  last_modified_at timestamp with time zone not null default now(),
  constraint audience_pkey PRIMARY KEY (id),
  constraint audience_advertiser_fkey FOREIGN KEY (advertiser) REFERENCES advertiser(id),
  constraint audience_confirmed_by_fkey FOREIGN KEY (confirmed_by) REFERENCES users(id),
  constraint audience_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint audience_ga4_view_fkey FOREIGN KEY (ga4_view) REFERENCES ad_account(id),
  constraint audience_seed_fkey FOREIGN KEY (seed) REFERENCES audience(id),
  constraint audience_site_fkey FOREIGN KEY (site) REFERENCES site(id),
  constraint audience_collected_by_check CHECK ((collected_by = ANY (ARRAY['advertiser'::text, 'partner'::text, 'both'::text]))),
  constraint audience_kind_check CHECK ((kind = ANY (ARRAY['customer_file'::text, 'website'::text, 'lookalike'::text, 'ga4'::text]))),
  constraint audience_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'ready'::text, 'expired'::text])))
);
CREATE INDEX audience_expiry ON public.audience USING btree (expires_at) WHERE ((status = 'ready'::text) AND (expires_at IS NOT NULL));
CREATE INDEX audience_last_modified ON public.audience USING btree (last_modified_at, id);
CREATE UNIQUE INDEX audience_name ON public.audience USING btree (advertiser, lower(name));
CREATE INDEX audience_seed ON public.audience USING btree (seed) WHERE (seed IS NOT NULL);
CREATE INDEX audience_trigrams ON public.audience USING gin (name gin_trgm_ops);
alter table audience enable row level security;

create table audience_chunk (
  id bigint not null generated always as identity,
  audience bigint not null,
  upload uuid not null,
  columns text[] not null,
  rows integer not null,
  fingerprints bytea not null,
  sealed bytea not null,
  constraint audience_chunk_pkey PRIMARY KEY (id),
  constraint audience_chunk_audience_fkey FOREIGN KEY (audience) REFERENCES audience(id) ON DELETE CASCADE,
  constraint audience_chunk_upload_fkey FOREIGN KEY (upload) REFERENCES audience_upload(id) ON DELETE CASCADE
);
CREATE INDEX audience_chunk_of ON public.audience_chunk USING btree (audience, id);
CREATE INDEX audience_chunk_upload ON public.audience_chunk USING btree (upload, id);

create table audience_share (
  id bigint not null generated always as identity,
  audience bigint not null,
  ad_account bigint not null,
  mode text not null,
  business text,
  home bigint,
  state text not null,
  parts jsonb not null default '[]'::jsonb,
  task jsonb,
  sent_to bigint not null default 0,
  size text,
  match text,
  code text,
  message text,
  request_id text,
  synced_at timestamp with time zone,
  checked_at timestamp with time zone,
  auto_sync boolean not null default true,
  failures integer not null default 0,
  next_at timestamp with time zone,
  claim uuid,
  claimed_until timestamp with time zone,
  created_by bigint,
  created_at timestamp with time zone not null,
  last_modified_at timestamp with time zone not null,
  constraint audience_share_pkey PRIMARY KEY (id),
  constraint audience_share_audience_ad_account_key UNIQUE (audience, ad_account),
  constraint audience_share_ad_account_fkey FOREIGN KEY (ad_account) REFERENCES ad_account(id),
  constraint audience_share_audience_fkey FOREIGN KEY (audience) REFERENCES audience(id) ON DELETE CASCADE,
  constraint audience_share_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint audience_share_home_fkey FOREIGN KEY (home) REFERENCES audience_share(id),
  constraint audience_share_mode_check CHECK ((mode = ANY (ARRAY['home'::text, 'shared'::text, 'copy'::text])))
);
CREATE INDEX audience_share_account ON public.audience_share USING btree (ad_account);
CREATE INDEX audience_share_due ON public.audience_share USING btree (next_at) WHERE (next_at IS NOT NULL);
alter table audience_share enable row level security;

create table audience_upload (
  id uuid not null,
  "position" bigint,
  audience bigint not null,
  session uuid not null,
  action text not null,
  columns text[] not null,
  state text not null default 'open'::text,
  next_seq integer not null default 1,
  rows bigint not null default 0,
  counts jsonb,
  basis text,
  created_by bigint,
  created_at timestamp with time zone not null,
  last_modified_at timestamp with time zone not null,
  taken_at timestamp with time zone,
  constraint audience_upload_pkey PRIMARY KEY (id),
  constraint audience_upload_audience_session_key UNIQUE (audience, session),
  constraint audience_upload_position_key UNIQUE ("position"),
  constraint audience_upload_audience_fkey FOREIGN KEY (audience) REFERENCES audience(id) ON DELETE CASCADE,
  constraint audience_upload_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint audience_upload_action_check CHECK ((action = ANY (ARRAY['add'::text, 'remove'::text, 'replace'::text]))),
  constraint audience_upload_state_check CHECK ((state = ANY (ARRAY['open'::text, 'taken'::text, 'dropped'::text])))
);
CREATE INDEX audience_upload_of ON public.audience_upload USING btree (audience, "position");
CREATE UNIQUE INDEX audience_upload_open ON public.audience_upload USING btree (audience) WHERE (state = 'open'::text);
alter table audience_upload enable row level security;

create table audience_upload_batch (
  upload uuid not null,
  seq integer not null,
  digest bytea not null,
  rows integer not null,
  stored integer not null,
  constraint audience_upload_batch_pkey PRIMARY KEY (upload, seq),
  constraint audience_upload_batch_upload_fkey FOREIGN KEY (upload) REFERENCES audience_upload(id) ON DELETE CASCADE
);

create table audit (
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  actor bigint,
  action text not null,
  object text,
  object_id text,
  detail jsonb,
  address text,
  actor_name text,
  constraint audit_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_actor_at ON public.audit USING btree (actor, at);
CREATE INDEX audit_at ON public.audit USING btree (at);
CREATE INDEX audit_object ON public.audit USING btree (object, object_id, id) WHERE (object IS NOT NULL);
alter table audit enable row level security;

create table billing_month (
  month date not null,
  state text not null default 'open'::text,
  locked_by bigint,
  locked_at timestamp with time zone,
  waivers jsonb not null default '[]'::jsonb,
  constraint billing_month_pkey PRIMARY KEY (month),
  constraint billing_month_locked_by_fkey FOREIGN KEY (locked_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint billing_month_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
  constraint billing_month_state_check CHECK ((state = ANY (ARRAY['open'::text, 'locked'::text])))
);
alter table billing_month enable row level security;

create table blob (
  sha256 text not null,
  size bigint,
  claimed_at timestamp with time zone not null default now(),
  unused_since timestamp with time zone,
  missing_since timestamp with time zone,
  constraint blob_pkey PRIMARY KEY (sha256),
  constraint blob_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text))
);
CREATE INDEX blob_missing ON public.blob USING btree (sha256) WHERE (missing_since IS NOT NULL);
CREATE INDEX blob_unused ON public.blob USING btree (unused_since) WHERE (unused_since IS NOT NULL);

create table bulk_change (
  operation uuid not null,
  report bigint not null,
  version integer not null,
  before jsonb,
  is_undone boolean not null default false,
  constraint bulk_change_pkey PRIMARY KEY (operation, report),
  constraint bulk_change_operation_fkey FOREIGN KEY (operation) REFERENCES bulk_operation(id) ON DELETE CASCADE,
  constraint bulk_change_report_fkey FOREIGN KEY (report) REFERENCES report(id) ON DELETE CASCADE
);
CREATE INDEX bulk_change_report ON public.bulk_change USING btree (report);

create table bulk_operation (
  id uuid not null,
  kind text not null,
  actor bigint not null,
  folders bigint[] not null default '{}'::bigint[],
  created_at timestamp with time zone not null default now(),
  constraint bulk_operation_pkey PRIMARY KEY (id),
  constraint bulk_operation_actor_fkey FOREIGN KEY (actor) REFERENCES users(id) ON DELETE CASCADE,
  constraint bulk_operation_kind_check CHECK ((kind = ANY (ARRAY['replace_account'::text, 'extend'::text, 'clone'::text])))
);
CREATE INDEX bulk_operation_created_at ON public.bulk_operation USING btree (created_at);

create table business (
  id bigint not null generated always as identity,
  external_id text not null,
  name text not null,
  verification text,
  login bigint,
  refreshed_at timestamp with time zone,
  tried_at timestamp with time zone,
  requested_at timestamp with time zone,
  problem text,
  created_at timestamp with time zone not null default now(),
  constraint business_pkey PRIMARY KEY (id),
  constraint business_external_id_key UNIQUE (external_id),
  constraint business_login_fkey FOREIGN KEY (login) REFERENCES public_account(id) ON DELETE SET NULL
);
CREATE INDEX business_login ON public.business USING btree (login);
alter table business enable row level security;

create table business_ad_account (
  id bigint not null generated always as identity,
  business bigint not null,
  account text not null,
  name text not null,
  relation text not null,
  status integer not null,
  disable_reason integer,
  currency text not null,
  timezone text not null,
  spend_cap bigint,
  amount_spent bigint,
  balance bigint,
  cap_used integer generated always as (
CASE
    WHEN ((amount_spent IS NOT NULL) AND (spend_cap IS NOT NULL)) THEN (LEAST(floor((((amount_spent)::numeric * (10000)::numeric) / (spend_cap)::numeric)), (1000000)::numeric))::integer
    ELSE NULL::integer
END) stored,
  is_prepay boolean,
  funding jsonb,
  tasks jsonb not null default '[]'::jsonb,
  tos_accepted boolean,
  created_at timestamp with time zone,
  listed_at timestamp with time zone not null,
  gone_at timestamp with time zone,
  stop_noted boolean not null default false,
  cap_noted bigint,
  history jsonb not null default '[]'::jsonb,
  constraint business_ad_account_pkey PRIMARY KEY (id),
  constraint business_ad_account_business_account_key UNIQUE (business, account),
  constraint business_ad_account_business_fkey FOREIGN KEY (business) REFERENCES business(id) ON DELETE CASCADE,
  constraint business_ad_account_relation_check CHECK ((relation = ANY (ARRAY['owned'::text, 'client'::text]))),
  constraint business_ad_account_spend_cap_check CHECK ((spend_cap > 0))
);
CREATE INDEX business_ad_account_account ON public.business_ad_account USING btree (account);
alter table business_ad_account enable row level security;

create table business_member (
  business bigint not null,
  user_id bigint not null,
  granted_by bigint,
  created_at timestamp with time zone not null default now(),
  constraint business_member_pkey PRIMARY KEY (business, user_id),
  constraint business_member_business_fkey FOREIGN KEY (business) REFERENCES business(id) ON DELETE CASCADE,
  constraint business_member_granted_by_fkey FOREIGN KEY (granted_by) REFERENCES users(id),
  constraint business_member_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX business_member_user ON public.business_member USING btree (user_id);
alter table business_member enable row level security;

create table business_refresh (
  login bigint not null,
  claimed_until timestamp with time zone,
  finished_at timestamp with time zone,
  constraint business_refresh_pkey PRIMARY KEY (login),
  constraint business_refresh_login_fkey FOREIGN KEY (login) REFERENCES public_account(id) ON DELETE CASCADE
);

create table calculated_metric (
  id bigint not null generated always as identity,
  advertiser bigint,
  name text not null,
  name_zh text not null,
  explanation text not null default ''::text,
  formula text not null,
  unit text not null,
  decimals smallint not null,
  is_active boolean not null default true,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  last_modified_at timestamp with time zone not null default now(),
  constraint calculated_metric_pkey PRIMARY KEY (id),
  constraint calculated_metric_advertiser_fkey FOREIGN KEY (advertiser) REFERENCES advertiser(id),
  constraint calculated_metric_decimals_check CHECK (((decimals >= 0) AND (decimals <= 6))),
  constraint calculated_metric_unit_check CHECK ((unit = ANY (ARRAY['count'::text, 'money'::text, 'ratio'::text, 'percent'::text])))
);
CREATE INDEX calculated_metric_advertiser ON public.calculated_metric USING btree (advertiser) WHERE (advertiser IS NOT NULL);
CREATE UNIQUE INDEX calculated_metric_name ON public.calculated_metric USING btree (COALESCE(advertiser, (0)::bigint), lower(name));
alter table calculated_metric enable row level security;

create table connect_state (
  hash bytea not null,
  nonce_hash bytea not null,
  user_id bigint not null,
  platform text not null,
  services text[] not null,
  public_account bigint,
  verifier bytea,
  pending bytea,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint connect_state_pkey PRIMARY KEY (hash),
  constraint connect_state_public_account_fkey FOREIGN KEY (public_account) REFERENCES public_account(id) ON DELETE CASCADE,
  constraint connect_state_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX connect_state_expires_at ON public.connect_state USING btree (expires_at);
CREATE INDEX connect_state_public_account ON public.connect_state USING btree (public_account);
CREATE INDEX connect_state_user ON public.connect_state USING btree (user_id);

create table conversion_definition (
  id bigint not null generated always as identity,
  advertiser bigint not null,
  name text not null,
  name_zh text not null,
  is_default boolean not null default false,
  entries jsonb not null,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  last_modified_at timestamp with time zone not null default now(),
  constraint conversion_definition_pkey PRIMARY KEY (id),
  constraint conversion_definition_advertiser_fkey FOREIGN KEY (advertiser) REFERENCES advertiser(id)
);
CREATE UNIQUE INDEX conversion_definition_default ON public.conversion_definition USING btree (advertiser) WHERE is_default;
CREATE UNIQUE INDEX conversion_definition_name ON public.conversion_definition USING btree (advertiser, lower(name));
alter table conversion_definition enable row level security;

create table ended_share (
  report bigint not null,
  user_id bigint not null,
  access text not null,
  shared_by bigint,
  folder bigint,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone not null,
  ended_by bigint,
  was_favourite boolean not null default false,
  constraint ended_share_pkey PRIMARY KEY (report, user_id),
  constraint ended_share_ended_by_fkey FOREIGN KEY (ended_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint ended_share_folder_fkey FOREIGN KEY (folder) REFERENCES folder(id) ON DELETE SET NULL,
  constraint ended_share_report_fkey FOREIGN KEY (report) REFERENCES report(id) ON DELETE CASCADE,
  constraint ended_share_shared_by_fkey FOREIGN KEY (shared_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint ended_share_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint ended_share_access_check CHECK ((access = ANY (ARRAY['viewer'::text, 'editor'::text])))
);
CREATE INDEX ended_share_ended_at ON public.ended_share USING btree (ended_at);
CREATE INDEX ended_share_ended_by ON public.ended_share USING btree (ended_by) WHERE (ended_by IS NOT NULL);
CREATE INDEX ended_share_folder ON public.ended_share USING btree (folder) WHERE (folder IS NOT NULL);
CREATE INDEX ended_share_shared_by ON public.ended_share USING btree (shared_by) WHERE (shared_by IS NOT NULL);
CREATE INDEX ended_share_user_id ON public.ended_share USING btree (user_id);

create table erasure (
  id bigint not null generated always as identity,
  advertiser bigint not null,
  columns text[] not null,
  rows integer not null,
  removed bigint not null default 0,
  after_chunk bigint default 0,
  sealed bytea,
  created_by bigint,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint erasure_pkey PRIMARY KEY (id),
  constraint erasure_advertiser_fkey FOREIGN KEY (advertiser) REFERENCES advertiser(id),
  constraint erasure_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id)
);
CREATE INDEX erasure_advertiser ON public.erasure USING btree (advertiser, id);
CREATE INDEX erasure_sweep ON public.erasure USING btree (id) WHERE (after_chunk IS NOT NULL);
alter table erasure enable row level security;

create table erasure_account (
  erasure bigint not null,
  ad_account bigint not null,
  outcome text not null default 'pending'::text,
  code text,
  failures integer not null default 0,
  next_at timestamp with time zone,
  claim uuid,
  claimed_until timestamp with time zone,
  constraint erasure_account_pkey PRIMARY KEY (erasure, ad_account),
  constraint erasure_account_ad_account_fkey FOREIGN KEY (ad_account) REFERENCES ad_account(id),
  constraint erasure_account_erasure_fkey FOREIGN KEY (erasure) REFERENCES erasure(id) ON DELETE CASCADE
);
CREATE INDEX erasure_account_due ON public.erasure_account USING btree (next_at) WHERE (next_at IS NOT NULL);
alter table erasure_account enable row level security;

create table execution (
  id uuid not null,
  created_by bigint not null,
  idempotency_key text,
  created_at timestamp with time zone not null default now(),
  skipped jsonb not null default '[]'::jsonb,
  constraint execution_pkey PRIMARY KEY (id),
  constraint execution_created_by_idempotency_key_key UNIQUE (created_by, idempotency_key),
  constraint execution_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE CASCADE
);
alter table execution enable row level security;

create table execution_run (
  execution uuid not null,
  run uuid not null,
  "position" integer not null,
  constraint execution_run_pkey PRIMARY KEY (execution, run),
  constraint execution_run_execution_fkey FOREIGN KEY (execution) REFERENCES execution(id) ON DELETE CASCADE,
  constraint execution_run_run_fkey FOREIGN KEY (run) REFERENCES run(id) ON DELETE CASCADE
);
CREATE INDEX execution_run_run ON public.execution_run USING btree (run);
alter table execution_run enable row level security;

create table fee_agreement (
  id bigint not null generated always as identity,
  advertiser bigint not null,
  channel text,
  currency text not null,
  from_month date not null,
  to_month date,
  amount bigint not null default 0,
  tiers jsonb not null,
  tier_mode text not null default 'marginal'::text,
  basis text not null default 'on_top'::text,
  minimum bigint not null default 0,
  charges_idle_months boolean not null default false,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  last_modified_at timestamp with time zone not null default now(),
  constraint fee_agreement_pkey PRIMARY KEY (id),
  constraint fee_agreement_advertiser_fkey FOREIGN KEY (advertiser) REFERENCES advertiser(id),
  constraint fee_agreement_amount_check CHECK ((amount >= 0)),
  constraint fee_agreement_basis_check CHECK ((basis = ANY (ARRAY['on_top'::text, 'within'::text]))),
  constraint fee_agreement_check CHECK (((EXTRACT(day FROM to_month) = (1)::numeric) AND (to_month >= from_month))),
  constraint fee_agreement_from_month_check CHECK ((EXTRACT(day FROM from_month) = (1)::numeric)),
  constraint fee_agreement_minimum_check CHECK ((minimum >= 0)),
  constraint fee_agreement_tier_mode_check CHECK ((tier_mode = ANY (ARRAY['marginal'::text, 'whole'::text])))
);
CREATE INDEX fee_agreement_advertiser ON public.fee_agreement USING btree (advertiser, from_month);
alter table fee_agreement enable row level security;

create table file (
  id bigint not null generated always as identity,
  advertiser bigint,
  name text not null,
  tags text[] not null default '{}'::text[],
  mime text not null,
  size bigint not null,
  sha256 text not null,
  uploaded_by bigint,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  last_modified_at timestamp with time zone not null default now(),
  constraint file_pkey PRIMARY KEY (id),
  constraint file_advertiser_fkey FOREIGN KEY (advertiser) REFERENCES advertiser(id),
  constraint file_sha256_fkey FOREIGN KEY (sha256) REFERENCES blob(sha256),
  constraint file_uploaded_by_fkey FOREIGN KEY (uploaded_by) REFERENCES users(id)
);
CREATE INDEX file_sha256 ON public.file USING btree (sha256);
CREATE UNIQUE INDEX file_source ON public.file USING btree (COALESCE(advertiser, (0)::bigint), sha256);
CREATE INDEX file_tags ON public.file USING gin (tags);
CREATE INDEX file_trigrams ON public.file USING gin (name gin_trgm_ops);
alter table file enable row level security;

create table filter_value (
  ad_account bigint not null,
  dimension text not null,
  value text not null,
  last_seen_at timestamp with time zone not null default now(),
  constraint filter_value_pkey PRIMARY KEY (ad_account, dimension, value),
  constraint filter_value_ad_account_fkey FOREIGN KEY (ad_account) REFERENCES ad_account(id) ON DELETE CASCADE
);
alter table filter_value enable row level security;

create table folder (
  id bigint not null generated always as identity,
  owner bigint not null,
  name text not null,
  parent bigint,
  layer smallint not null,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  last_modified_at timestamp with time zone not null default now(),
  constraint folder_pkey PRIMARY KEY (id),
  constraint folder_owner_fkey FOREIGN KEY (owner) REFERENCES users(id) ON DELETE CASCADE,
  constraint folder_parent_fkey FOREIGN KEY (parent) REFERENCES folder(id) ON DELETE CASCADE,
  constraint folder_layer_check CHECK ((layer = ANY (ARRAY[1, 2]))),
  constraint folder_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120)))
);
CREATE INDEX folder_owner_deleted ON public.folder USING btree (owner) WHERE (deleted_at IS NOT NULL);
CREATE INDEX folder_parent ON public.folder USING btree (parent);
CREATE UNIQUE INDEX folder_sibling_name ON public.folder USING btree (owner, COALESCE(parent, (0)::bigint), lower(name)) WHERE (deleted_at IS NULL);
alter table folder enable row level security;

create table image (
  id bigint not null generated always as identity,
  advertiser bigint,
  name text not null,
  tags text[] not null default '{}'::text[],
  mime text not null,
  size bigint not null,
  sha256 text not null,
  source_sha256 text not null,
  width integer not null,
  height integer not null,
  is_animated boolean not null default false,
  formats text[] not null default '{}'::text[],
  preview_320 text not null,
  preview_1280 text not null,
  uploaded_by bigint,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  last_modified_at timestamp with time zone not null default now(),
  constraint image_pkey PRIMARY KEY (id),
  constraint image_advertiser_fkey FOREIGN KEY (advertiser) REFERENCES advertiser(id),
  constraint image_preview_1280_fkey FOREIGN KEY (preview_1280) REFERENCES blob(sha256),
  constraint image_preview_320_fkey FOREIGN KEY (preview_320) REFERENCES blob(sha256),
  constraint image_sha256_fkey FOREIGN KEY (sha256) REFERENCES blob(sha256),
  constraint image_uploaded_by_fkey FOREIGN KEY (uploaded_by) REFERENCES users(id)
);
CREATE INDEX image_formats ON public.image USING gin (formats);
CREATE INDEX image_preview_1280 ON public.image USING btree (preview_1280);
CREATE INDEX image_preview_320 ON public.image USING btree (preview_320);
CREATE INDEX image_sha256 ON public.image USING btree (sha256);
CREATE UNIQUE INDEX image_source ON public.image USING btree (COALESCE(advertiser, (0)::bigint), source_sha256);
CREATE INDEX image_tags ON public.image USING gin (tags);
CREATE INDEX image_trigrams ON public.image USING gin (name gin_trgm_ops);
alter table image enable row level security;

create table incident (
  id bigint not null generated always as identity,
  report bigint not null,
  channel text,
  label text,
  code text not null,
  failed_run boolean not null,
  opened_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  constraint incident_pkey PRIMARY KEY (id),
  constraint incident_report_fkey FOREIGN KEY (report) REFERENCES report(id) ON DELETE CASCADE,
  constraint incident_check CHECK (((channel IS NULL) = (label IS NULL)))
);
CREATE INDEX incident_closed_at ON public.incident USING btree (closed_at) WHERE (closed_at IS NOT NULL);
CREATE INDEX incident_report ON public.incident USING btree (report) WHERE (closed_at IS NULL);

create table industry (
  id bigint not null generated always as identity,
  name text not null,
  name_zh text not null,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  last_modified_at timestamp with time zone not null default now(),
  constraint industry_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX industry_name ON public.industry USING btree (lower(name));
CREATE UNIQUE INDEX industry_name_zh ON public.industry USING btree (lower(name_zh));
alter table industry enable row level security;

create table issuer (
  is_only boolean not null default true,
  name text not null default ''::text,
  tax_id text not null default ''::text,
  jp_tax_id text not null default ''::text,
  address text not null default ''::text,
  phone text not null default ''::text,
  logo bytea,
  logo_type text,
  bank text not null default ''::text,
  terms_en text not null default ''::text,
  terms_zh text not null default ''::text,
  base_currency text not null default 'TWD'::text,
  valid_days integer not null default 14,
  version integer not null default 1,
  last_modified_at timestamp with time zone not null default now(),
  constraint issuer_pkey PRIMARY KEY (is_only),
  constraint issuer_is_only_check CHECK (is_only),
  constraint issuer_logo_type_check CHECK ((logo_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text]))),
  constraint issuer_valid_days_check CHECK (((valid_days >= 1) AND (valid_days <= 365)))
);
alter table issuer enable row level security;

create table link (
  id bigint not null generated always as identity,
  advertiser bigint not null,
  site bigint,
  publisher bigint,
  image bigint,
  file bigint,
  preset bigint,
  platform text,
  name text not null,
  landing_url text not null,
  utm_source text not null,
  utm_medium text not null,
  utm_campaign text not null,
  utm_id text not null default ''::text,
  utm_term text not null default ''::text,
  utm_content text not null default ''::text,
  utm_source_platform text not null default ''::text,
  utm_creative_format text not null default ''::text,
  utm_marketing_tactic text not null default ''::text,
  extra jsonb not null default '[]'::jsonb,
  link text not null,
  ga4_channel text not null,
  "check" jsonb,
  created_by bigint,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  last_modified_at timestamp with time zone not null default now(),
  constraint link_pkey PRIMARY KEY (id),
  constraint link_advertiser_fkey FOREIGN KEY (advertiser) REFERENCES advertiser(id),
  constraint link_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint link_file_fkey FOREIGN KEY (file) REFERENCES file(id),
  constraint link_image_fkey FOREIGN KEY (image) REFERENCES image(id),
  constraint link_preset_fkey FOREIGN KEY (preset) REFERENCES link_preset(id) ON DELETE SET NULL,
  constraint link_publisher_fkey FOREIGN KEY (publisher) REFERENCES publisher(id),
  constraint link_site_fkey FOREIGN KEY (site) REFERENCES site(id)
);
CREATE INDEX link_file ON public.link USING btree (file) WHERE (file IS NOT NULL);
CREATE INDEX link_image ON public.link USING btree (image) WHERE (image IS NOT NULL);
CREATE INDEX link_last_modified ON public.link USING btree (last_modified_at, id);
CREATE INDEX link_link_trigrams ON public.link USING gin (link gin_trgm_ops);
CREATE INDEX link_preset_of ON public.link USING btree (preset) WHERE (preset IS NOT NULL);
CREATE INDEX link_publisher ON public.link USING btree (publisher) WHERE (publisher IS NOT NULL);
CREATE INDEX link_same ON public.link USING btree (advertiser, md5(link));
CREATE INDEX link_site ON public.link USING btree (site) WHERE (site IS NOT NULL);
CREATE INDEX link_trigrams ON public.link USING gin (name gin_trgm_ops);
alter table link enable row level security;

create table link_check (
  id bigint not null generated always as identity,
  user_id bigint not null,
  at timestamp with time zone not null,
  constraint link_check_pkey PRIMARY KEY (id),
  constraint link_check_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX link_check_person ON public.link_check USING btree (user_id, at);

create table link_preset (
  id bigint not null generated always as identity,
  advertiser bigint,
  name text not null,
  platform text,
  "values" jsonb not null default '{}'::jsonb,
  locked text[] not null default '{}'::text[],
  allowed jsonb not null default '{}'::jsonb,
  created_by bigint,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  last_modified_at timestamp with time zone not null default now(),
  constraint link_preset_pkey PRIMARY KEY (id),
  constraint link_preset_advertiser_fkey FOREIGN KEY (advertiser) REFERENCES advertiser(id),
  constraint link_preset_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id)
);
CREATE UNIQUE INDEX link_preset_name ON public.link_preset USING btree (COALESCE(advertiser, (0)::bigint), lower(name));
alter table link_preset enable row level security;

create table locked_account (
  month date not null,
  ad_account bigint not null,
  advertiser bigint,
  cost bigint,
  invoice bigint,
  constraint locked_account_pkey PRIMARY KEY (month, ad_account),
  constraint locked_account_ad_account_fkey FOREIGN KEY (ad_account) REFERENCES ad_account(id),
  constraint locked_account_advertiser_fkey FOREIGN KEY (advertiser) REFERENCES advertiser(id)
);
CREATE INDEX locked_account_account ON public.locked_account USING btree (ad_account);
CREATE INDEX locked_account_advertiser ON public.locked_account USING btree (advertiser) WHERE (advertiser IS NOT NULL);
alter table locked_account enable row level security;

create table mail (
  id uuid not null,
  user_id bigint not null,
  state text not null default 'waiting'::text,
  created_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  tries smallint not null default 0,
  ended_at timestamp with time zone,
  problem text,
  constraint mail_pkey PRIMARY KEY (id),
  constraint mail_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint mail_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'dropped'::text, 'dead'::text])))
);
CREATE INDEX mail_due_at ON public.mail USING btree (due_at) WHERE (state = 'waiting'::text);
CREATE INDEX mail_ended_at ON public.mail USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX mail_user_id ON public.mail USING btree (user_id);

create table metric_label (
  id bigint not null generated always as identity,
  advertiser bigint,
  channel text,
  metric text not null,
  label text not null,
  label_zh text not null,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  last_modified_at timestamp with time zone not null default now(),
  constraint metric_label_pkey PRIMARY KEY (id),
  constraint metric_label_advertiser_fkey FOREIGN KEY (advertiser) REFERENCES advertiser(id)
);
CREATE INDEX metric_label_advertiser ON public.metric_label USING btree (advertiser) WHERE (advertiser IS NOT NULL);
CREATE UNIQUE INDEX metric_label_of ON public.metric_label USING btree (COALESCE(advertiser, (0)::bigint), COALESCE(channel, ''::text), metric);
alter table metric_label enable row level security;

create table notification (
  id bigint not null generated always as identity,
  user_id bigint not null,
  at timestamp with time zone not null default now(),
  kind text not null,
  report bigint,
  run uuid,
  code text,
  read_at timestamp with time zone,
  detail jsonb not null default '{}'::jsonb,
  mail_requested boolean not null default false,
  mail uuid,
  constraint notification_pkey PRIMARY KEY (id),
  constraint notification_mail_fkey FOREIGN KEY (mail) REFERENCES mail(id) ON DELETE SET NULL,
  constraint notification_report_fkey FOREIGN KEY (report) REFERENCES report(id) ON DELETE CASCADE,
  constraint notification_run_fkey FOREIGN KEY (run) REFERENCES run(id) ON DELETE CASCADE,
  constraint notification_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX notification_at ON public.notification USING btree (at);
CREATE INDEX notification_mail ON public.notification USING btree (mail) WHERE (mail IS NOT NULL);
CREATE INDEX notification_mail_requested ON public.notification USING btree (user_id, at) WHERE mail_requested;
CREATE INDEX notification_report ON public.notification USING btree (report) WHERE (report IS NOT NULL);
CREATE INDEX notification_run ON public.notification USING btree (run) WHERE (run IS NOT NULL);
CREATE INDEX notification_unread ON public.notification USING btree (user_id) WHERE (read_at IS NULL);
CREATE INDEX notification_user ON public.notification USING btree (user_id, at DESC);
alter table notification enable row level security;

create table number_series (
  series text not null,
  year integer not null,
  last integer not null,
  constraint number_series_pkey PRIMARY KEY (series, year),
  constraint number_series_series_check CHECK ((series = ANY (ARRAY['Q'::text, 'P'::text])))
);

create table password_link (
  token_hash bytea not null,
  user_id bigint not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint password_link_pkey PRIMARY KEY (token_hash),
  constraint password_link_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table payment (
  id bigint not null generated always as identity,
  number text not null,
  quotation bigint,
  statement bigint,
  advertiser bigint not null,
  untaxed bigint not null,
  taxable bigint not null,
  tax_amount bigint not null,
  amount bigint not null,
  currency text not null,
  issue_on date not null,
  due_on date not null,
  invoice_number text,
  invoice_on date,
  note text not null default ''::text,
  status text not null default 'due'::text,
  reason text,
  received bigint not null default 0,
  paid_on date,
  version integer not null default 1,
  created_by bigint,
  created_at timestamp with time zone not null default now(),
  last_modified_at timestamp with time zone not null default now(),
  overdue_noted date,
  constraint payment_pkey PRIMARY KEY (id),
  constraint payment_number_key UNIQUE (number),
  constraint payment_advertiser_fkey FOREIGN KEY (advertiser) REFERENCES advertiser(id),
  constraint payment_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint payment_quotation_fkey FOREIGN KEY (quotation) REFERENCES quotation(id),
  constraint payment_statement_fkey FOREIGN KEY (statement) REFERENCES statement(id),
  constraint payment_check CHECK ((num_nonnulls(quotation, statement) = 1)),
  constraint payment_check1 CHECK ((amount = ((untaxed + taxable) + tax_amount))),
  constraint payment_status_check CHECK ((status = ANY (ARRAY['due'::text, 'paid'::text, 'void'::text])))
);
CREATE INDEX payment_advertiser ON public.payment USING btree (advertiser, id DESC);
CREATE INDEX payment_amount ON public.payment USING btree (amount, id);
CREATE INDEX payment_due ON public.payment USING btree (due_on) WHERE (status = 'due'::text);
CREATE INDEX payment_due_on ON public.payment USING btree (due_on, id);
CREATE UNIQUE INDEX payment_invoice_number ON public.payment USING btree (invoice_number) WHERE ((invoice_number IS NOT NULL) AND (status <> 'void'::text));
CREATE INDEX payment_issue_on ON public.payment USING btree (issue_on, id);
CREATE INDEX payment_last_modified_at ON public.payment USING btree (last_modified_at, id);
CREATE INDEX payment_overdue ON public.payment USING btree (due_on) WHERE ((status = 'due'::text) AND (overdue_noted IS DISTINCT FROM due_on));
CREATE INDEX payment_quotation ON public.payment USING btree (quotation) WHERE (quotation IS NOT NULL);
CREATE UNIQUE INDEX payment_statement ON public.payment USING btree (statement) WHERE ((statement IS NOT NULL) AND (status <> 'void'::text));
CREATE INDEX payment_status ON public.payment USING btree (status, id DESC);
CREATE INDEX payment_sums ON public.payment USING btree (advertiser) INCLUDE (status, currency, due_on, amount, received, quotation);
alter table payment enable row level security;

create table platform_app (
  platform text not null,
  client_id text,
  client_secret bytea,
  config_id text,
  developer_token bytea,
  version integer not null default 1,
  last_modified_at timestamp with time zone not null default now(),
  constraint platform_app_pkey PRIMARY KEY (platform)
);

create table platform_invoice (
  id bigint not null generated always as identity,
  ad_account bigint not null,
  month date not null,
  amount bigint not null,
  number text not null default ''::text,
  note text not null default ''::text,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  last_modified_at timestamp with time zone not null default now(),
  constraint platform_invoice_pkey PRIMARY KEY (id),
  constraint platform_invoice_ad_account_month_key UNIQUE (ad_account, month),
  constraint platform_invoice_ad_account_fkey FOREIGN KEY (ad_account) REFERENCES ad_account(id),
  constraint platform_invoice_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric))
);
CREATE INDEX platform_invoice_month ON public.platform_invoice USING btree (month);
alter table platform_invoice enable row level security;

create table public_account (
  id bigint not null generated always as identity,
  platform text not null,
  name text not null,
  login bytea not null,
  login_fields text[] not null,
  expires_at timestamp with time zone,
  tested_at timestamp with time zone,
  test_result text,
  created_by bigint,
  created_at timestamp with time zone not null default now(),
  last_modified_at timestamp with time zone not null default now(),
  failing_since timestamp with time zone,
  expiry_notified_at timestamp with time zone,
  kind text not null default 'keys'::text,
  person_id text,
  person_name text,
  person_email text,
  connected_by bigint,
  connected_at timestamp with time zone,
  constraint public_account_pkey PRIMARY KEY (id),
  constraint public_account_connected_by_fkey FOREIGN KEY (connected_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint public_account_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint public_account_kind_check CHECK ((kind = ANY (ARRAY['keys'::text, 'oauth'::text]))),
  constraint public_account_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120)))
);

create table public_account_permission (
  public_account bigint not null,
  service text not null,
  scope text not null,
  granted boolean,
  checked_at timestamp with time zone not null,
  constraint public_account_permission_pkey PRIMARY KEY (public_account, service, scope),
  constraint public_account_permission_public_account_fkey FOREIGN KEY (public_account) REFERENCES public_account(id) ON DELETE CASCADE
);

create table public_account_service (
  id bigint not null generated always as identity,
  public_account bigint not null,
  service text not null,
  enabled boolean not null,
  constraint public_account_service_pkey PRIMARY KEY (id),
  constraint public_account_service_public_account_service_key UNIQUE (public_account, service),
  constraint public_account_service_public_account_fkey FOREIGN KEY (public_account) REFERENCES public_account(id) ON DELETE CASCADE,
  constraint public_account_service_service_check CHECK ((service = ANY (ARRAY['reporting'::text, 'audiences'::text, 'businesses'::text, 'spreadsheets'::text])))
);

create table public_account_user (
  id bigint not null generated always as identity,
  public_account bigint not null,
  user_id bigint not null,
  constraint public_account_user_pkey PRIMARY KEY (id),
  constraint public_account_user_public_account_user_id_key UNIQUE (public_account, user_id),
  constraint public_account_user_public_account_fkey FOREIGN KEY (public_account) REFERENCES public_account(id) ON DELETE CASCADE,
  constraint public_account_user_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX public_account_user_user ON public.public_account_user USING btree (user_id);

create table publisher (
  id bigint not null generated always as identity,
  name text not null,
  type text not null,
  channel text,
  website text not null default ''::text,
  contacts jsonb not null default '[]'::jsonb,
  note text not null default ''::text,
  created_by bigint,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  last_modified_at timestamp with time zone not null default now(),
  constraint publisher_pkey PRIMARY KEY (id),
  constraint publisher_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id)
);
CREATE UNIQUE INDEX publisher_name ON public.publisher USING btree (lower(name));
alter table publisher enable row level security;

create table quota (
  scope text not null,
  next_at timestamp with time zone not null default now(),
  paused_until timestamp with time zone,
  ahead_ms integer not null default 0,
  permits timestamp with time zone[] not null default '{}'::timestamp with time zone[],
  per_minute real,
  backoff_ms integer,
  urgent_until timestamp with time zone,
  constraint quota_pkey PRIMARY KEY (scope)
);

create table quota_slot (
  scope text not null,
  holder uuid not null,
  nth smallint not null,
  state text not null,
  held_by uuid,
  is_urgent boolean not null,
  since timestamp with time zone not null default clock_timestamp(),
  until timestamp with time zone not null,
  constraint quota_slot_pkey PRIMARY KEY (scope, holder, nth),
  constraint quota_slot_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'woken'::text, 'held'::text])))
);
CREATE INDEX quota_slot_held_by ON public.quota_slot USING btree (held_by);
CREATE INDEX quota_slot_holder ON public.quota_slot USING btree (holder);

create table quotation (
  id bigint not null generated always as identity,
  number text,
  revision integer not null default 1,
  revises bigint,
  status text not null default 'draft'::text,
  title text not null,
  advertiser bigint not null,
  agent bigint,
  bill_to text not null default 'advertiser'::text,
  owner bigint not null,
  currency text not null,
  tax text not null,
  media_billing text not null,
  language text not null,
  issue_on date,
  valid_until date,
  payment_terms jsonb not null,
  terms text not null default ''::text,
  client_po text not null default ''::text,
  internal_note text not null default ''::text,
  schedule jsonb not null default '[]'::jsonb,
  discount bigint not null default 0,
  fee_minimum bigint not null default 0,
  subtotal bigint not null default 0,
  service_fee bigint not null default 0,
  minimum_fee bigint not null default 0,
  untaxed bigint not null default 0,
  taxable bigint not null default 0,
  tax_amount bigint not null default 0,
  total bigint not null default 0,
  commission bigint not null default 0,
  parties jsonb,
  sent_at timestamp with time zone,
  accepted_on date,
  accepted_by text,
  accepted_at timestamp with time zone,
  reason text,
  ended_at timestamp with time zone,
  version integer not null default 1,
  created_by bigint,
  created_at timestamp with time zone not null default now(),
  last_modified_at timestamp with time zone not null default now(),
  expiry_noted date,
  verdict text,
  verdict_at timestamp with time zone,
  constraint quotation_pkey PRIMARY KEY (id),
  constraint quotation_advertiser_fkey FOREIGN KEY (advertiser) REFERENCES advertiser(id),
  constraint quotation_agent_fkey FOREIGN KEY (agent) REFERENCES agent(id),
  constraint quotation_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint quotation_owner_fkey FOREIGN KEY (owner) REFERENCES users(id),
  constraint quotation_revises_fkey FOREIGN KEY (revises) REFERENCES quotation(id),
  constraint quotation_bill_to_check CHECK ((bill_to = ANY (ARRAY['advertiser'::text, 'agent'::text]))),
  constraint quotation_discount_check CHECK ((discount >= 0)),
  constraint quotation_fee_minimum_check CHECK ((fee_minimum >= 0)),
  constraint quotation_language_check CHECK ((language = ANY (ARRAY['en'::text, 'zh-TW'::text]))),
  constraint quotation_media_billing_check CHECK ((media_billing = ANY (ARRAY['agency'::text, 'advance'::text, 'client'::text]))),
  constraint quotation_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'sent'::text, 'accepted'::text, 'rejected'::text, 'cancelled'::text, 'superseded'::text]))),
  constraint quotation_tax_check CHECK ((tax = ANY (ARRAY['tw_vat'::text, 'jp_ct'::text, 'zero_rated'::text, 'exempt'::text]))),
  constraint quotation_verdict_check CHECK ((verdict = ANY (ARRAY['under'::text, 'on_pace'::text, 'over'::text])))
);
CREATE INDEX quotation_accepted ON public.quotation USING btree (verdict_at NULLS FIRST, id) WHERE (status = 'accepted'::text);
CREATE INDEX quotation_advertiser ON public.quotation USING btree (advertiser, id DESC);
CREATE INDEX quotation_agent ON public.quotation USING btree (agent) WHERE (agent IS NOT NULL);
CREATE INDEX quotation_expiry ON public.quotation USING btree (valid_until) WHERE ((status = 'sent'::text) AND (expiry_noted IS DISTINCT FROM valid_until));
CREATE INDEX quotation_issue_on ON public.quotation USING btree (issue_on, id);
CREATE INDEX quotation_last_modified_at ON public.quotation USING btree (last_modified_at, id);
CREATE UNIQUE INDEX quotation_number ON public.quotation USING btree (number, revision) WHERE (number IS NOT NULL);
CREATE INDEX quotation_number_order ON public.quotation USING btree (number, id);
CREATE INDEX quotation_off_pace ON public.quotation USING btree (advertiser, id) WHERE ((status = 'accepted'::text) AND (verdict = ANY (ARRAY['under'::text, 'over'::text])));
CREATE INDEX quotation_owner ON public.quotation USING btree (owner, id DESC);
CREATE INDEX quotation_revises ON public.quotation USING btree (revises) WHERE (revises IS NOT NULL);
CREATE INDEX quotation_status ON public.quotation USING btree (status, id DESC);
CREATE INDEX quotation_sums ON public.quotation USING btree (advertiser) INCLUDE (status, currency, valid_until, total, agent, owner, issue_on);
CREATE INDEX quotation_title ON public.quotation USING btree (title, id);
CREATE INDEX quotation_total ON public.quotation USING btree (total, id);
CREATE INDEX quotation_trigrams ON public.quotation USING gin (number gin_trgm_ops, title gin_trgm_ops, client_po gin_trgm_ops);
CREATE INDEX quotation_valid_until ON public.quotation USING btree (valid_until) WHERE (status = 'sent'::text);
CREATE INDEX quotation_valid_until_order ON public.quotation USING btree (valid_until, id);
alter table quotation enable row level security;

create table quotation_file (
  quotation bigint not null,
  kind text not null,
  name text not null,
  mime text not null,
  sha256 bytea not null,
  bytes bytea not null,
  created_at timestamp with time zone not null default now(),
  constraint quotation_file_pkey PRIMARY KEY (quotation, kind),
  constraint quotation_file_quotation_fkey FOREIGN KEY (quotation) REFERENCES quotation(id) ON DELETE CASCADE,
  constraint quotation_file_kind_check CHECK ((kind = ANY (ARRAY['pdf'::text, 'acceptance'::text])))
);
alter table quotation_file enable row level security;

create table quotation_line (
  id bigint not null generated always as identity,
  quotation bigint not null,
  "position" integer not null,
  channel text,
  publisher text not null default ''::text,
  title text not null default ''::text,
  description text not null default ''::text,
  start date not null,
  "end" date not null,
  pricing text not null,
  quantity bigint not null default 0,
  unit_price bigint not null default 0,
  budget bigint not null,
  fee_rate integer not null default 0,
  fee_basis text not null default 'on_top'::text,
  media bigint not null,
  fee bigint not null,
  typed_spent bigint,
  final_spent bigint,
  final_at timestamp with time zone,
  constraint quotation_line_pkey PRIMARY KEY (id),
  constraint quotation_line_quotation_position_key UNIQUE (quotation, "position") DEFERRABLE INITIALLY DEFERRED,
  constraint quotation_line_quotation_fkey FOREIGN KEY (quotation) REFERENCES quotation(id) ON DELETE CASCADE,
  constraint quotation_line_fee_basis_check CHECK ((fee_basis = ANY (ARRAY['on_top'::text, 'within'::text]))),
  constraint quotation_line_fee_rate_check CHECK (((fee_rate >= 0) AND (fee_rate <= 10000))),
  constraint quotation_line_pricing_check CHECK ((pricing = ANY (ARRAY['budget'::text, 'cpm'::text, 'cpc'::text, 'cpv'::text, 'day'::text])))
);
CREATE INDEX quotation_line_open ON public.quotation_line USING btree ("end") WHERE (final_at IS NULL);
CREATE INDEX quotation_line_span ON public.quotation_line USING btree (quotation) INCLUDE (start, "end");
alter table quotation_line enable row level security;

create table quotation_line_account (
  line bigint not null,
  ad_account bigint not null,
  constraint quotation_line_account_pkey PRIMARY KEY (line, ad_account),
  constraint quotation_line_account_ad_account_fkey FOREIGN KEY (ad_account) REFERENCES ad_account(id),
  constraint quotation_line_account_line_fkey FOREIGN KEY (line) REFERENCES quotation_line(id) ON DELETE CASCADE
);
CREATE INDEX quotation_line_account_account ON public.quotation_line_account USING btree (ad_account);
alter table quotation_line_account enable row level security;

create table rate (
  month date not null,
  currency text not null,
  rate numeric(20,10) not null,
  kind text not null,
  source text not null default ''::text,
  last_modified_at timestamp with time zone not null default now(),
  id bigint not null generated always as identity,
  version integer not null default 1,
  constraint rate_pkey PRIMARY KEY (month, currency),
  constraint rate_kind_check CHECK ((kind = ANY (ARRAY['final'::text, 'provisional'::text]))),
  constraint rate_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
  constraint rate_rate_check CHECK ((rate > (0)::numeric))
);
CREATE UNIQUE INDEX rate_id ON public.rate USING btree (id);
alter table rate enable row level security;

create table receipt (
  id bigint not null generated always as identity,
  payment bigint not null,
  "on" date not null,
  amount bigint not null,
  bank_fee bigint not null default 0,
  method text not null,
  reference text not null default ''::text,
  reversed_at timestamp with time zone,
  reversed_by bigint,
  reason text,
  created_by bigint,
  created_at timestamp with time zone not null default now(),
  constraint receipt_pkey PRIMARY KEY (id),
  constraint receipt_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint receipt_payment_fkey FOREIGN KEY (payment) REFERENCES payment(id),
  constraint receipt_reversed_by_fkey FOREIGN KEY (reversed_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint receipt_amount_check CHECK ((amount >= 0)),
  constraint receipt_bank_fee_check CHECK ((bank_fee >= 0)),
  constraint receipt_method_check CHECK ((method = ANY (ARRAY['transfer'::text, 'cheque'::text, 'cash'::text, 'card'::text, 'offset'::text])))
);
CREATE INDEX receipt_payment ON public.receipt USING btree (payment);
alter table receipt enable row level security;

create table recovery_code (
  user_id bigint not null,
  hash bytea not null,
  used_at timestamp with time zone,
  constraint recovery_code_pkey PRIMARY KEY (user_id, hash),
  constraint recovery_code_user_id_fkey FOREIGN KEY (user_id) REFERENCES second_factor(user_id) ON DELETE CASCADE,
  constraint recovery_code_hash_check CHECK ((length(hash) = 32))
);

create table refresh_family (
  id uuid not null,
  user_id bigint not null,
  created_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  revoked_because text,
  address text,
  user_agent text,
  last_used_at timestamp with time zone,
  constraint refresh_family_pkey PRIMARY KEY (id),
  constraint refresh_family_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX refresh_family_user_id ON public.refresh_family USING btree (user_id) WHERE (revoked_at IS NULL);
alter table refresh_family enable row level security;

create table refresh_token (
  id uuid not null,
  family uuid not null,
  issued_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  rotated_at timestamp with time zone,
  child uuid,
  constraint refresh_token_pkey PRIMARY KEY (id),
  constraint refresh_token_family_fkey FOREIGN KEY (family) REFERENCES refresh_family(id) ON DELETE CASCADE
);
CREATE INDEX refresh_token_expires_at ON public.refresh_token USING btree (expires_at);
CREATE INDEX refresh_token_family ON public.refresh_token USING btree (family);

create table refused_sign_in (
  id bigint not null generated always as identity,
  address text not null,
  name text not null,
  began_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  more integer not null default 0,
  usernames text[] not null default '{}'::text[],
  addresses text[] not null default '{}'::text[],
  constraint refused_sign_in_pkey PRIMARY KEY (id)
);
CREATE INDEX refused_sign_in_address ON public.refused_sign_in USING btree (address, ends_at);
CREATE INDEX refused_sign_in_name ON public.refused_sign_in USING btree (name, ends_at);

create table report (
  id bigint not null generated always as identity,
  owner bigint not null,
  folder bigint,
  version integer not null default 1,
  name text not null,
  spreadsheet_url text not null default ''::text,
  spreadsheet_id text,
  sheet_name text not null default ''::text,
  sheet_id bigint,
  start_cell text not null default 'A1'::text,
  timezone text not null,
  header_language text not null,
  arrangement text not null,
  fill_zero boolean not null,
  dimensions jsonb not null,
  channels jsonb not null,
  date_start date,
  date_end date,
  dynamic_range smallint not null,
  history_extended boolean not null default false,
  update_frequency smallint not null,
  update_time time without time zone not null default '09:00:00'::time without time zone,
  update_day_of_week smallint,
  update_day_of_month smallint,
  next_run_at timestamp with time zone,
  target_state text,
  target_checked_at timestamp with time zone,
  copied_by bigint,
  deleted_at timestamp with time zone,
  deleted_by bigint,
  created_at timestamp with time zone not null default now(),
  last_modified_at timestamp with time zone not null default now(),
  format_table boolean not null default true,
  last_run_at timestamp with time zone,
  sort jsonb,
  "limit" integer,
  currency text,
  comparison jsonb,
  note boolean not null default false,
  blends jsonb not null default '[]'::jsonb,
  constraint report_pkey PRIMARY KEY (id),
  constraint report_copied_by_fkey FOREIGN KEY (copied_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint report_deleted_by_fkey FOREIGN KEY (deleted_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint report_folder_fkey FOREIGN KEY (folder) REFERENCES folder(id) ON DELETE SET NULL,
  constraint report_owner_fkey FOREIGN KEY (owner) REFERENCES users(id),
  constraint report_arrangement_check CHECK ((arrangement = ANY (ARRAY['joined'::text, 'stacked'::text]))),
  constraint report_check CHECK (((date_start IS NULL) OR (date_end IS NULL) OR (date_end >= date_start))),
  constraint report_dynamic_range_check CHECK (((dynamic_range >= 0) AND (dynamic_range <= 5))),
  constraint report_header_language_check CHECK ((header_language = ANY (ARRAY['en'::text, 'zh-TW'::text]))),
  constraint report_limit_check CHECK (("limit" >= 1)),
  constraint report_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120))),
  constraint report_update_day_of_month_check CHECK (((update_day_of_month >= 1) AND (update_day_of_month <= 31))),
  constraint report_update_day_of_week_check CHECK (((update_day_of_week >= 1) AND (update_day_of_week <= 7))),
  constraint report_update_frequency_check CHECK (((update_frequency >= 0) AND (update_frequency <= 4)))
);
CREATE INDEX report_calculated ON public.report USING gin (jsonb_path_query_array(channels, '$[*]."metrics"[*]?(@ starts with "calc:")'::jsonpath)) WHERE (deleted_at IS NULL);
CREATE INDEX report_conversion ON public.report USING gin (jsonb_path_query_array(channels, '$[*]."conversion"?(@ != null)'::jsonpath)) WHERE (deleted_at IS NULL);
CREATE INDEX report_deleted_at ON public.report USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX report_due_frequency ON public.report USING btree (next_run_at, update_frequency) WHERE ((next_run_at IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX report_ending ON public.report USING btree (date_end) WHERE ((dynamic_range = 0) AND (update_frequency > 1) AND (deleted_at IS NULL));
CREATE INDEX report_folder ON public.report USING btree (folder) WHERE (deleted_at IS NULL);
CREATE INDEX report_modified ON public.report USING btree (last_modified_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX report_name ON public.report USING btree (lower(name), id) WHERE (deleted_at IS NULL);
CREATE INDEX report_name_pieces ON public.report USING gin (name_pieces(name)) WHERE (deleted_at IS NULL);
CREATE INDEX report_name_trigrams ON public.report USING gin (name gin_trgm_ops) WHERE (deleted_at IS NULL);
CREATE INDEX report_owner_deleted ON public.report USING btree (owner) WHERE (deleted_at IS NOT NULL);
CREATE INDEX report_owner_due ON public.report USING btree (owner, next_run_at) WHERE ((next_run_at IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX report_owner_last_run ON public.report USING btree (owner, last_run_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX report_owner_modified ON public.report USING btree (owner, last_modified_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX report_spreadsheet ON public.report USING btree (spreadsheet_id) WHERE ((spreadsheet_id IS NOT NULL) AND (deleted_at IS NULL));
alter table report enable row level security;

create table report_account (
  report bigint not null,
  block smallint not null,
  ad_account bigint not null,
  constraint report_account_pkey PRIMARY KEY (report, block, ad_account),
  constraint report_account_ad_account_fkey FOREIGN KEY (ad_account) REFERENCES ad_account(id),
  constraint report_account_report_fkey FOREIGN KEY (report) REFERENCES report(id) ON DELETE CASCADE
);
CREATE INDEX report_account_ad_account ON public.report_account USING btree (ad_account);
alter table report_account enable row level security;

create table report_favourite (
  report bigint not null,
  user_id bigint not null,
  created_at timestamp with time zone not null default now(),
  constraint report_favourite_pkey PRIMARY KEY (user_id, report),
  constraint report_favourite_report_fkey FOREIGN KEY (report) REFERENCES report(id) ON DELETE CASCADE,
  constraint report_favourite_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX report_favourite_report ON public.report_favourite USING btree (report);
alter table report_favourite enable row level security;

create table report_share (
  report bigint not null,
  user_id bigint not null,
  access text not null,
  shared_by bigint,
  folder bigint,
  created_at timestamp with time zone not null default now(),
  constraint report_share_pkey PRIMARY KEY (report, user_id),
  constraint report_share_folder_fkey FOREIGN KEY (folder) REFERENCES folder(id) ON DELETE SET NULL,
  constraint report_share_report_fkey FOREIGN KEY (report) REFERENCES report(id) ON DELETE CASCADE,
  constraint report_share_shared_by_fkey FOREIGN KEY (shared_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint report_share_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint report_share_access_check CHECK ((access = ANY (ARRAY['viewer'::text, 'editor'::text])))
);
CREATE INDEX report_share_folder ON public.report_share USING btree (folder) WHERE (folder IS NOT NULL);
CREATE INDEX report_share_user_id ON public.report_share USING btree (user_id);
alter table report_share enable row level security;

create table report_transfer (
  report bigint not null,
  from_owner bigint not null,
  folder bigint,
  transferred_at timestamp with time zone not null,
  constraint report_transfer_pkey PRIMARY KEY (report),
  constraint report_transfer_folder_fkey FOREIGN KEY (folder) REFERENCES folder(id) ON DELETE SET NULL,
  constraint report_transfer_from_owner_fkey FOREIGN KEY (from_owner) REFERENCES users(id) ON DELETE CASCADE,
  constraint report_transfer_report_fkey FOREIGN KEY (report) REFERENCES report(id) ON DELETE CASCADE
);
CREATE INDEX report_transfer_folder ON public.report_transfer USING btree (folder) WHERE (folder IS NOT NULL);
CREATE INDEX report_transfer_from_owner ON public.report_transfer USING btree (from_owner);
CREATE INDEX report_transfer_transferred_at ON public.report_transfer USING btree (transferred_at);

create table report_version (
  report bigint not null,
  version integer not null,
  settings jsonb not null,
  changed text[] not null default '{}'::text[],
  author bigint,
  restores integer,
  saved_at timestamp with time zone not null,
  constraint report_version_pkey PRIMARY KEY (report, version),
  constraint report_version_author_fkey FOREIGN KEY (author) REFERENCES users(id) ON DELETE SET NULL,
  constraint report_version_report_fkey FOREIGN KEY (report) REFERENCES report(id) ON DELETE CASCADE
);
CREATE INDEX report_version_author ON public.report_version USING btree (author) WHERE (author IS NOT NULL);
alter table report_version enable row level security;

create table report_view (
  id bigint not null generated always as identity,
  owner bigint not null,
  name text not null,
  filters jsonb not null,
  created_at timestamp with time zone not null default now(),
  last_modified_at timestamp with time zone not null default now(),
  constraint report_view_pkey PRIMARY KEY (id),
  constraint report_view_owner_fkey FOREIGN KEY (owner) REFERENCES users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX report_view_name ON public.report_view USING btree (owner, lower(name));
alter table report_view enable row level security;

create table run (
  id uuid not null,
  report bigint not null,
  trigger text not null,
  status text not null,
  owner bigint not null,
  requested_by bigint,
  report_version integer,
  plan jsonb,
  attempt integer not null default 0,
  lost_leases integer not null default 0,
  failures integer not null default 0,
  worker text,
  lease_until timestamp with time zone,
  cancel_requested_at timestamp with time zone,
  due_at timestamp with time zone,
  queued_at timestamp with time zone not null default now(),
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  resumes_at timestamp with time zone,
  range_start date,
  range_end date,
  rows integer,
  columns integer,
  platform_requests integer not null default 0,
  spreadsheet_requests integer not null default 0,
  code text,
  detail jsonb,
  blocks jsonb not null default '[]'::jsonb,
  notes jsonb not null default '[]'::jsonb,
  partial boolean not null default false,
  table_columns jsonb,
  table_rows integer,
  table_attempt integer,
  written jsonb,
  restores uuid,
  timeline jsonb not null default '[]'::jsonb,
  platform_calls jsonb not null default '{}'::jsonb,
  quota_wait_ms jsonb not null default '{}'::jsonb,
  changes jsonb,
  waitlist_until timestamp with time zone,
  advertiser bigint,
  person_round integer,
  advertiser_round integer,
  round integer,
  waitlist text,
  is_large boolean not null default false,
  answers_requested integer not null default 0,
  answers_shared integer not null default 0,
  shared_from timestamp with time zone,
  worker_deaths integer not null default 0,
  table_note text,
  constraint run_pkey PRIMARY KEY (id),
  constraint run_advertiser_fkey FOREIGN KEY (advertiser) REFERENCES advertiser(id) ON DELETE SET NULL,
  constraint run_owner_fkey FOREIGN KEY (owner) REFERENCES users(id) ON DELETE CASCADE,
  constraint run_report_fkey FOREIGN KEY (report) REFERENCES report(id) ON DELETE CASCADE,
  constraint run_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint run_restores_fkey FOREIGN KEY (restores) REFERENCES run(id) ON DELETE CASCADE,
  constraint run_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'fetching'::text, 'writing'::text, 'completed'::text, 'error'::text, 'cancelled'::text]))),
  constraint run_trigger_check CHECK ((trigger = ANY (ARRAY['click'::text, 'schedule'::text, 'retry'::text, 'cli'::text, 'undo'::text])))
);
CREATE INDEX run_advertiser ON public.run USING btree (advertiser);
CREATE INDEX run_finished ON public.run USING btree (finished_at DESC) WHERE (finished_at IS NOT NULL);
CREATE INDEX run_head ON public.run USING btree (((trigger <> 'schedule'::text)), round) WHERE COALESCE(((status = 'queued'::text) AND (started_at IS NULL) AND (round IS NOT NULL)), false);
CREATE INDEX run_lease ON public.run USING btree (lease_until) WHERE (status = ANY (ARRAY['fetching'::text, 'writing'::text]));
CREATE UNIQUE INDEX run_occurrence ON public.run USING btree (report, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX run_of_advertiser ON public.run USING btree (((trigger <> 'schedule'::text)), advertiser, person_round) WHERE COALESCE(((status = 'queued'::text) AND (started_at IS NULL) AND (advertiser_round IS NOT NULL)), false);
CREATE INDEX run_of_person ON public.run USING btree (((trigger <> 'schedule'::text)), (
CASE
    WHEN (trigger = 'schedule'::text) THEN owner
    ELSE COALESCE(requested_by, owner)
END), person_round) WHERE COALESCE(((status = 'queued'::text) AND (started_at IS NULL) AND (person_round IS NOT NULL)), false);
CREATE UNIQUE INDEX run_one_at_a_time ON public.run USING btree (report) WHERE (status = ANY (ARRAY['queued'::text, 'fetching'::text, 'writing'::text]));
CREATE INDEX run_owner_ended ON public.run USING btree (owner, status, finished_at) WHERE (finished_at IS NOT NULL);
CREATE INDEX run_report_queued ON public.run USING btree (report, queued_at DESC);
CREATE INDEX run_resting ON public.run USING btree (is_large, (
CASE
    WHEN (trigger = 'schedule'::text) THEN 1
    ELSE 0
END), resumes_at) WHERE ((status = 'queued'::text) AND (resumes_at IS NOT NULL));
CREATE INDEX run_restores ON public.run USING btree (restores) WHERE (restores IS NOT NULL);
CREATE INDEX run_waiting ON public.run USING btree (is_large, (
CASE
    WHEN (trigger = 'schedule'::text) THEN 1
    ELSE 0
END), COALESCE(round, 0), id) WHERE ((status = 'queued'::text) AND (resumes_at IS NULL));
CREATE INDEX run_waitlist ON public.run USING btree (waitlist, round, waitlist_until) WHERE ((waitlist IS NOT NULL) AND (status = 'queued'::text));
alter table run enable row level security;

create table run_chunk (
  run uuid not null,
  attempt integer not null,
  seq integer not null,
  first_row integer not null,
  rows integer not null,
  bytes bytea not null,
  constraint run_chunk_pkey PRIMARY KEY (run, attempt, seq),
  constraint run_chunk_run_fkey FOREIGN KEY (run) REFERENCES run(id) ON DELETE CASCADE
);
alter table run_chunk enable row level security;

create table run_job (
  run uuid not null,
  key text not null,
  job text not null,
  begun_at timestamp with time zone not null default now(),
  constraint run_job_pkey PRIMARY KEY (run, key),
  constraint run_job_run_fkey FOREIGN KEY (run) REFERENCES run(id) ON DELETE CASCADE
);

create table schema_migration (
  name text not null,
  checksum text not null,
  started_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  constraint schema_migration_pkey PRIMARY KEY (name)
);

create table second_factor (
  user_id bigint not null,
  secret bytea not null,
  enabled_at timestamp with time zone not null,
  last_step bigint not null,
  wrong_codes integer not null default 0,
  wrong_since timestamp with time zone,
  constraint second_factor_pkey PRIMARY KEY (user_id),
  constraint second_factor_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
alter table second_factor enable row level security;

create table second_factor_enrolment (
  user_id bigint not null,
  secret bytea not null,
  expires_at timestamp with time zone not null,
  constraint second_factor_enrolment_pkey PRIMARY KEY (user_id),
  constraint second_factor_enrolment_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table setting (
  name text not null,
  value bytea not null,
  created_at timestamp with time zone not null default now(),
  constraint setting_pkey PRIMARY KEY (name)
);

create unlogged table shared_fetch (
  name bytea not null,
  claim_run uuid,
  claim_attempt integer,
  claim_waits boolean not null default false,
  claimed_at timestamp with time zone not null default now(),
  response bytea,
  bytes integer not null default 0,
  requested_by uuid,
  requested_at timestamp with time zone,
  expires_at timestamp with time zone,
  used_at timestamp with time zone,
  too_large_at timestamp with time zone,
  constraint shared_fetch_pkey PRIMARY KEY (name)
);
CREATE INDEX shared_fetch_used ON public.shared_fetch USING btree (used_at);

create table sign_in_failure (
  id bigint not null generated always as identity,
  username text not null,
  address text not null,
  at timestamp with time zone not null,
  constraint sign_in_failure_pkey PRIMARY KEY (id)
);
CREATE INDEX sign_in_failure_address ON public.sign_in_failure USING btree (address, at);
CREATE INDEX sign_in_failure_at ON public.sign_in_failure USING btree (at);
CREATE INDEX sign_in_failure_username ON public.sign_in_failure USING btree (username, at);

create table site (
  id bigint not null generated always as identity,
  advertiser bigint not null,
  name text not null,
  url text not null,
  platform text not null default 'other'::text,
  pixels jsonb not null default '[]'::jsonb,
  is_active boolean not null default true,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  last_modified_at timestamp with time zone not null default now(),
  created_by bigint,
  constraint site_pkey PRIMARY KEY (id),
  constraint site_advertiser_fkey FOREIGN KEY (advertiser) REFERENCES advertiser(id),
  constraint site_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id)
);
CREATE INDEX site_trigrams ON public.site USING gin (name gin_trgm_ops);
CREATE UNIQUE INDEX site_url ON public.site USING btree (advertiser, lower(url));
alter table site enable row level security;

create table spend_account (
  ad_account bigint not null,
  known_from date,
  known_to date,
  settled_to date,
  refreshed_at timestamp with time zone,
  next_at timestamp with time zone not null,
  claim uuid,
  claimed_until timestamp with time zone,
  failures integer not null default 0,
  code text,
  jobs jsonb not null default '{}'::jsonb,
  constraint spend_account_pkey PRIMARY KEY (ad_account),
  constraint spend_account_ad_account_fkey FOREIGN KEY (ad_account) REFERENCES ad_account(id) ON DELETE CASCADE
);
alter table spend_account enable row level security;

create table spend_day (
  ad_account bigint not null,
  day date not null,
  cost bigint,
  impressions bigint,
  clicks bigint,
  conversions double precision,
  constraint spend_day_pkey PRIMARY KEY (ad_account, day),
  constraint spend_day_ad_account_fkey FOREIGN KEY (ad_account) REFERENCES ad_account(id) ON DELETE CASCADE
);
alter table spend_day enable row level security;

create table spend_month (
  ad_account bigint not null,
  month date not null,
  cost bigint,
  known text not null,
  origin text not null,
  as_of timestamp with time zone not null,
  constraint spend_month_pkey PRIMARY KEY (ad_account, month),
  constraint spend_month_ad_account_fkey FOREIGN KEY (ad_account) REFERENCES ad_account(id) ON DELETE CASCADE,
  constraint spend_month_known_check CHECK ((known = ANY (ARRAY['full'::text, 'partial'::text, 'none'::text]))),
  constraint spend_month_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
  constraint spend_month_origin_check CHECK ((origin = ANY (ARRAY['platform'::text, 'import'::text])))
);
CREATE INDEX spend_month_month ON public.spend_month USING btree (month);
alter table spend_month enable row level security;

create table spreadsheet_binding (
  spreadsheet_id text not null,
  advertiser bigint,
  proven_by bigint,
  proof text not null,
  created_at timestamp with time zone not null default now(),
  role text not null default 'writer'::text,
  department smallint,
  title text,
  permissions text[],
  verified_at timestamp with time zone,
  lapsed_at timestamp with time zone,
  tabs integer,
  constraint spreadsheet_binding_pkey PRIMARY KEY (spreadsheet_id),
  constraint spreadsheet_binding_advertiser_fkey FOREIGN KEY (advertiser) REFERENCES advertiser(id) ON DELETE CASCADE,
  constraint spreadsheet_binding_proven_by_fkey FOREIGN KEY (proven_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint spreadsheet_binding_department_check CHECK (((department >= 1) AND (department <= 7))),
  constraint spreadsheet_binding_proof_check CHECK ((proof = ANY (ARRAY['permission'::text, 'code'::text]))),
  constraint spreadsheet_binding_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'writer'::text])))
);

create table spreadsheet_code (
  spreadsheet_id text not null,
  user_id bigint not null,
  code text not null,
  expires_at timestamp with time zone not null,
  constraint spreadsheet_code_pkey PRIMARY KEY (spreadsheet_id, user_id),
  constraint spreadsheet_code_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table spreadsheet_creation (
  user_id bigint not null,
  idempotency_key text not null,
  title text not null,
  spreadsheet_id text,
  started_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint spreadsheet_creation_pkey PRIMARY KEY (user_id, idempotency_key),
  constraint spreadsheet_creation_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX spreadsheet_creation_created_at ON public.spreadsheet_creation USING btree (created_at);

create table spreadsheet_lease (
  spreadsheet_id text not null,
  run uuid not null,
  attempt integer not null,
  until timestamp with time zone not null,
  constraint spreadsheet_lease_pkey PRIMARY KEY (spreadsheet_id),
  constraint spreadsheet_lease_run_fkey FOREIGN KEY (run) REFERENCES run(id) ON DELETE CASCADE
);

create table spreadsheet_system_user (
  spreadsheet_id text not null,
  address text not null,
  learned_at timestamp with time zone not null default now(),
  constraint spreadsheet_system_user_pkey PRIMARY KEY (spreadsheet_id)
);

create table spreadsheet_write (
  id bigint not null generated always as identity,
  spreadsheet_id text not null,
  run uuid not null,
  attempt integer not null,
  started_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  constraint spreadsheet_write_pkey PRIMARY KEY (id),
  constraint spreadsheet_write_run_fkey FOREIGN KEY (run) REFERENCES run(id) ON DELETE CASCADE
);
CREATE INDEX spreadsheet_write_open ON public.spreadsheet_write USING btree (spreadsheet_id) WHERE (settled_at IS NULL);

create table statement (
  id bigint not null generated always as identity,
  advertiser bigint not null,
  month date not null,
  currency text not null,
  media bigint not null,
  fee bigint not null,
  untaxed bigint not null,
  taxable bigint not null,
  tax_amount bigint not null,
  total bigint not null,
  tax text not null,
  media_billing text not null,
  frozen jsonb not null,
  covered_by bigint,
  reopened_at timestamp with time zone,
  constraint statement_pkey PRIMARY KEY (id),
  constraint statement_advertiser_fkey FOREIGN KEY (advertiser) REFERENCES advertiser(id),
  constraint statement_covered_by_fkey FOREIGN KEY (covered_by) REFERENCES quotation(id),
  constraint statement_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric))
);
CREATE INDEX statement_advertiser ON public.statement USING btree (advertiser, month);
CREATE INDEX statement_covered_by ON public.statement USING btree (covered_by) WHERE (covered_by IS NOT NULL);
CREATE UNIQUE INDEX statement_in_force ON public.statement USING btree (month, advertiser, currency) WHERE (reopened_at IS NULL);
alter table statement enable row level security;

create table statement_line (
  id bigint not null generated always as identity,
  month date not null,
  statement bigint,
  advertiser bigint,
  channel text not null,
  currency text not null,
  spend bigint,
  adjusted bigint not null default 0,
  billing_currency text,
  billed bigint,
  fee bigint,
  tax_amount bigint,
  total bigint,
  code text,
  invoiced bigint,
  rate text,
  constraint statement_line_pkey PRIMARY KEY (id),
  constraint statement_line_advertiser_fkey FOREIGN KEY (advertiser) REFERENCES advertiser(id),
  constraint statement_line_statement_fkey FOREIGN KEY (statement) REFERENCES statement(id) ON DELETE CASCADE
);
CREATE INDEX statement_line_advertiser ON public.statement_line USING btree (advertiser) WHERE (advertiser IS NOT NULL);
CREATE INDEX statement_line_month ON public.statement_line USING btree (month, advertiser);
CREATE INDEX statement_line_statement ON public.statement_line USING btree (statement);
alter table statement_line enable row level security;

create table support_addition (
  id bigint not null generated always as identity,
  issue bigint not null,
  text text not null,
  created_at timestamp with time zone not null,
  constraint support_addition_pkey PRIMARY KEY (id),
  constraint support_addition_issue_fkey FOREIGN KEY (issue) REFERENCES support_issue(id) ON DELETE CASCADE,
  constraint support_addition_text_check CHECK (((length(text) >= 1) AND (length(text) <= 5000)))
);
CREATE INDEX support_addition_issue ON public.support_addition USING btree (issue, id);
alter table support_addition enable row level security;

create table support_image (
  issue bigint not null,
  type text not null,
  width integer not null,
  height integer not null,
  bytes bytea not null,
  constraint support_image_pkey PRIMARY KEY (issue),
  constraint support_image_issue_fkey FOREIGN KEY (issue) REFERENCES support_issue(id) ON DELETE CASCADE,
  constraint support_image_bytes_check CHECK (((length(bytes) >= 1) AND (length(bytes) <= 5242880))),
  constraint support_image_height_check CHECK ((height > 0)),
  constraint support_image_type_check CHECK ((type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text, 'image/gif'::text, 'image/webp'::text]))),
  constraint support_image_width_check CHECK ((width > 0))
);
alter table support_image enable row level security;

create table support_issue (
  id bigint not null generated always as identity,
  reporter bigint not null,
  report_type text not null,
  report bigint,
  occurred_at timestamp with time zone not null,
  description text not null,
  status text not null default 'open'::text,
  answer text,
  answered_by bigint,
  grants_history boolean not null default false,
  created_at timestamp with time zone not null,
  last_modified_at timestamp with time zone not null,
  constraint support_issue_pkey PRIMARY KEY (id),
  constraint support_issue_answered_by_fkey FOREIGN KEY (answered_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint support_issue_report_fkey FOREIGN KEY (report) REFERENCES report(id) ON DELETE SET NULL,
  constraint support_issue_reporter_fkey FOREIGN KEY (reporter) REFERENCES users(id) ON DELETE CASCADE,
  constraint support_issue_answer_check CHECK (((length(answer) >= 1) AND (length(answer) <= 5000))),
  constraint support_issue_description_check CHECK (((length(description) >= 1) AND (length(description) <= 5000))),
  constraint support_issue_report_type_check CHECK ((report_type = ANY (ARRAY['auto_update_report'::text, 'others'::text]))),
  constraint support_issue_status_check CHECK ((status = ANY (ARRAY['open'::text, 'in_progress'::text, 'answered'::text, 'closed'::text])))
);
CREATE INDEX support_issue_answered_by ON public.support_issue USING btree (answered_by) WHERE (answered_by IS NOT NULL);
CREATE INDEX support_issue_report ON public.support_issue USING btree (report) WHERE (report IS NOT NULL);
CREATE INDEX support_issue_reporter ON public.support_issue USING btree (reporter, id);
alter table support_issue enable row level security;

create table suppressed_member (
  advertiser bigint not null,
  key bytea not null,
  created_at timestamp with time zone not null,
  constraint suppressed_member_pkey PRIMARY KEY (advertiser, key),
  constraint suppressed_member_advertiser_fkey FOREIGN KEY (advertiser) REFERENCES advertiser(id)
);

create table target_audience (
  id bigint not null generated always as identity,
  advertiser bigint not null,
  name text not null,
  age_min integer not null,
  age_max integer not null,
  genders text[] not null default '{}'::text[],
  locations jsonb not null default '[]'::jsonb,
  languages text[] not null default '{}'::text[],
  interests text[] not null default '{}'::text[],
  devices text[] not null default '{}'::text[],
  note text not null default ''::text,
  created_by bigint,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  last_modified_at timestamp with time zone not null default now(),
  constraint target_audience_pkey PRIMARY KEY (id),
  constraint target_audience_advertiser_fkey FOREIGN KEY (advertiser) REFERENCES advertiser(id),
  constraint target_audience_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint target_audience_age_min_check CHECK (((age_min >= 13) AND (age_min <= 65))),
  constraint target_audience_check CHECK (((age_max >= age_min) AND (age_max <= 65)))
);
CREATE UNIQUE INDEX target_audience_name ON public.target_audience USING btree (advertiser, lower(name));
alter table target_audience enable row level security;

create table target_audience_list (
  target_audience bigint not null,
  audience bigint not null,
  side text not null,
  "position" integer not null,
  constraint target_audience_list_pkey PRIMARY KEY (target_audience, audience),
  constraint target_audience_list_audience_fkey FOREIGN KEY (audience) REFERENCES audience(id),
  constraint target_audience_list_target_audience_fkey FOREIGN KEY (target_audience) REFERENCES target_audience(id) ON DELETE CASCADE,
  constraint target_audience_list_side_check CHECK ((side = ANY (ARRAY['include'::text, 'exclude'::text])))
);
CREATE INDEX target_audience_list_audience ON public.target_audience_list USING btree (audience);
alter table target_audience_list enable row level security;

create table ua_archive_day (
  id bigint not null generated always as identity,
  view_id text not null,
  day date not null,
  dimensions text[] not null,
  metrics text[] not null,
  rows integer not null,
  imported_at timestamp with time zone not null default now(),
  constraint ua_archive_day_pkey PRIMARY KEY (id),
  constraint ua_archive_day_view_id_day_dimensions_key UNIQUE (view_id, day, dimensions)
);

create table ua_archive_row (
  archive_day bigint not null,
  keys text[] not null,
  figures numeric[] not null,
  constraint ua_archive_row_archive_day_fkey FOREIGN KEY (archive_day) REFERENCES ua_archive_day(id) ON DELETE CASCADE
);
CREATE INDEX ua_archive_row_archive_day ON public.ua_archive_row USING btree (archive_day);

create table upload_count (
  user_id bigint not null,
  day date not null,
  count integer not null,
  constraint upload_count_pkey PRIMARY KEY (user_id, day),
  constraint upload_count_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table users (
  id bigint not null generated always as identity,
  username text not null,
  full_name text not null default ''::text,
  identity text not null,
  department smallint,
  user_type smallint not null,
  "position" text not null default ''::text,
  email text,
  email_confirmed boolean not null default false,
  contacts jsonb not null default '[]'::jsonb,
  company_extension text not null default ''::text,
  language text not null default 'en'::text,
  theme text not null default 'auto'::text,
  is_active smallint not null default 1,
  employment_status smallint not null default 1,
  password_hash text,
  created_at timestamp with time zone not null default now(),
  last_modified_at timestamp with time zone not null default now(),
  mail_notices text not null default 'failures'::text,
  plan smallint not null default 0,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_department_check CHECK (((department >= 1) AND (department <= 7))),
  constraint users_employment_status_check CHECK (((employment_status >= 0) AND (employment_status <= 3))),
  constraint users_identity_check CHECK ((identity = ANY (ARRAY['external_user'::text, 'staff'::text, 'manager'::text, 'director'::text, 'superuser'::text]))),
  constraint users_is_active_check CHECK ((is_active = ANY (ARRAY[0, 1]))),
  constraint users_language_check CHECK ((language = ANY (ARRAY['en'::text, 'zh-TW'::text]))),
  constraint users_mail_notices_check CHECK ((mail_notices = ANY (ARRAY['none'::text, 'failures'::text, 'all'::text]))),
  constraint users_plan_check CHECK ((plan = ANY (ARRAY[0, 1]))),
  constraint users_theme_check CHECK ((theme = ANY (ARRAY['light'::text, 'dark'::text, 'auto'::text]))),
  constraint users_user_type_check CHECK ((user_type = ANY (ARRAY[1, 2]))),
  constraint users_username_check CHECK (((length(username) >= 1) AND (length(username) <= 150)))
);
CREATE UNIQUE INDEX users_username_key ON public.users USING btree (lower(username));
alter table users enable row level security;

CREATE OR REPLACE FUNCTION public.acquire_slots(quota_key text, most integer, claimant uuid, claimant_process uuid, numbers smallint[], kind text, urgent boolean, lease_ms integer, pause_key text, longest_pause_ms integer, OUT taken smallint[], OUT ahead integer, OUT woken uuid[], OUT pause_ms double precision)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  is_paused boolean;
  number smallint;
  others record;
  may_hold boolean;
begin
  taken := '{}';
  woken := '{}';
  ahead := 0;
  select greatest(0, extract(epoch from paused_until - clock_timestamp()) * 1000) into pause_ms from quota where scope = pause_key;
  if pause_ms > longest_pause_ms then
    return;
  end if;
  is_paused := lock_slots(quota_key);
  foreach number in array numbers loop
    with mine as (
      select state, since from quota_slot where scope = quota_key and holder = claimant and nth = number
    )
    select most - count(*) filter (where state <> 'waiting') as free,
      count(*) filter (where state = 'waiting') as waiting,
      count(*) filter (where state = 'waiting' and (
        is_urgent and not urgent
        or is_urgent = urgent and since < coalesce((select mine.since from mine), 'infinity')
      )) as ahead,
      coalesce((select mine.state = 'woken' from mine), false) as is_woken
    into others from quota_slot where scope = quota_key and (holder, nth) <> (claimant, number);
    ahead := others.ahead;
    may_hold := case
      when others.is_woken then true
      -- Further slots, and those of the background, only while nobody waits.
      when number > 0 or kind = 'background' then others.free > 0 and others.waiting = 0
      when kind = 'run' then others.free > others.ahead
      -- A person's request takes one slot more than the limit.
      else others.free > -1
    end;
    if may_hold then
      insert into quota_slot (scope, holder, nth, state, held_by, is_urgent, until)
      values (quota_key, claimant, number, 'held', claimant_process, urgent, clock_timestamp() + lease_ms * interval '1 ms')
      on conflict (scope, holder, nth) do update set state = 'held', held_by = excluded.held_by, until = excluded.until;
      taken := taken || number;
    else
      if kind = 'run' and number = 0 then
        insert into quota_slot (scope, holder, nth, state, is_urgent, until)
        values (quota_key, claimant, number, 'waiting', urgent, clock_timestamp() + interval '30 min')
        on conflict (scope, holder, nth) do update set state = 'waiting', held_by = null, until = excluded.until;
      end if;
      exit;
    end if;
  end loop;
  if kind = 'run' and not is_paused then
    woken := wake_next(quota_key, most);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.advertiser_of_account(account text)
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE SECURITY DEFINER
BEGIN ATOMIC
 SELECT ad_account.advertiser
    FROM ad_account
   WHERE ((ad_account.provider = 'meta'::text) AND (ad_account.external_id = advertiser_of_account.account));
END;

CREATE OR REPLACE FUNCTION public.asking_advertisers()
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE SECURITY DEFINER ROWS 20
BEGIN ATOMIC
 SELECT advertiser_member.advertiser
    FROM advertiser_member
   WHERE (advertiser_member.user_id = asking_person())
 UNION
  SELECT membership.advertiser
    FROM (users colleague
      JOIN advertiser_member membership ON ((membership.user_id = colleague.id)))
   WHERE ((asking_identity() = 'manager'::text) AND (colleague.department = asking_department()) AND (colleague.identity <> 'external_user'::text));
END;

CREATE OR REPLACE FUNCTION public.asking_answers_issues()
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN ((asking_identity() = 'superuser'::text) OR (asking_is_internal() AND (asking_department() = 6)));

CREATE OR REPLACE FUNCTION public.asking_bills_all_advertisers()
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (asking_sees_all_advertisers() OR asking_is_finance());

CREATE OR REPLACE FUNCTION public.asking_businesses()
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE SECURITY DEFINER ROWS 5
BEGIN ATOMIC
 SELECT business_member.business
    FROM business_member
   WHERE (business_member.user_id = asking_person())
 UNION
  SELECT theirs.business
    FROM (business_ad_account theirs
      JOIN ad_account ON (((ad_account.provider = 'meta'::text) AND (ad_account.external_id = theirs.account))))
   WHERE (asking_is_internal() AND (ad_account.advertiser IN ( SELECT asking_advertisers() AS asking_advertisers)));
END;

CREATE OR REPLACE FUNCTION public.asking_department()
 RETURNS smallint
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('sheetcast.department'::text, true), ''::text))::smallint;

CREATE OR REPLACE FUNCTION public.asking_granted_businesses()
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE SECURITY DEFINER ROWS 5
BEGIN ATOMIC
 SELECT business_member.business
    FROM business_member
   WHERE (business_member.user_id = asking_person());
END;

CREATE OR REPLACE FUNCTION public.asking_identity()
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN current_setting('sheetcast.identity'::text, true);

CREATE OR REPLACE FUNCTION public.asking_is_finance()
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (asking_is_internal() AND (asking_department() = 7));

CREATE OR REPLACE FUNCTION public.asking_is_internal()
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (asking_identity() = ANY (ARRAY['staff'::text, 'manager'::text, 'director'::text, 'superuser'::text]));

CREATE OR REPLACE FUNCTION public.asking_known_people()
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE SECURITY DEFINER ROWS 100
BEGIN ATOMIC
 SELECT theirs.user_id
    FROM (advertiser_member mine
      JOIN advertiser_member theirs ON ((theirs.advertiser = mine.advertiser)))
   WHERE (mine.user_id = asking_person())
 UNION
  SELECT unnest(ARRAY[report.owner, report.copied_by, share.shared_by]) AS unnest
    FROM (report_share share
      JOIN report ON ((report.id = share.report)))
   WHERE (share.user_id = asking_person())
 UNION
  SELECT report.copied_by
    FROM report
   WHERE ((report.owner = asking_person()) AND (report.deleted_at IS NULL) AND (report.copied_by IS NOT NULL))
 UNION
  SELECT support_issue.answered_by
    FROM support_issue
   WHERE (support_issue.reporter = asking_person());
END;

CREATE OR REPLACE FUNCTION public.asking_person()
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('sheetcast.person'::text, true), ''::text))::bigint;

CREATE OR REPLACE FUNCTION public.asking_reports_of_others()
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE SECURITY DEFINER ROWS 100
BEGIN ATOMIC
 SELECT report_share.report
    FROM report_share
   WHERE (report_share.user_id = asking_person())
 UNION ALL
  SELECT support_issue.report
    FROM support_issue
   WHERE ((support_issue.report IS NOT NULL) AND asking_answers_issues());
END;

CREATE OR REPLACE FUNCTION public.asking_sees_all_advertisers()
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (asking_identity() = ANY (ARRAY['director'::text, 'superuser'::text]));

CREATE OR REPLACE FUNCTION public.audit_add()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
  if new.actor is not null and new.actor_name is null then
    new.actor_name := (select coalesce(nullif(full_name, ''), username) from users where id = new.actor); end if; -- for every writer
  return new; end $function$;

CREATE OR REPLACE FUNCTION public.audit_keep()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ declare
  days integer := nullif(current_setting('sheetcast.audit_days', true), ''); begin -- unset, nothing is removed
  if tg_op = 'DELETE' and days >= 90 and old.at < clock_timestamp() - make_interval(days => days) then return old; end if; -- old enough
  raise exception 'rows of the audit trail are neither changed nor removed' using errcode = 'restrict_violation'; end $function$;

CREATE OR REPLACE FUNCTION public.lock_slots(quota_key text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  is_paused boolean;
begin
  select coalesce(paused_until > clock_timestamp(), false) into is_paused from quota where scope = quota_key for update;
  if not found then
    insert into quota as q (scope) values (quota_key) on conflict (scope) do update set scope = excluded.scope
    returning coalesce(q.paused_until > clock_timestamp(), false) into is_paused;
  end if;
  -- A run that was woken and did not come keeps its position: it may be waiting for another quota.
  update quota_slot set state = 'waiting', until = clock_timestamp() + interval '30 min'
  where scope = quota_key and state = 'woken' and until < clock_timestamp();
  delete from quota_slot where scope = quota_key and until < clock_timestamp();
  return is_paused;
end $function$;

CREATE OR REPLACE FUNCTION public.name_pieces(name text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT COST 1000
RETURN ARRAY(SELECT DISTINCT substr(lower(name_pieces.name), start.start, size.size) AS substr FROM generate_series(1, length(lower(name_pieces.name))) start(start), generate_series(1, 2) size(size));

CREATE OR REPLACE FUNCTION public.release_slots(quota_key text, most integer, claimant uuid, claimant_process uuid, numbers smallint[], wakes boolean, leaves boolean)
 RETURNS uuid[]
 LANGUAGE plpgsql
AS $function$
declare
  is_paused boolean := lock_slots(quota_key);
begin
  if leaves then
    delete from quota_slot where holder = claimant and state <> 'held';
  end if;
  delete from quota_slot
  where scope = quota_key and holder = claimant and nth = any(numbers) and held_by = claimant_process;
  if is_paused or not wakes then
    return '{}';
  end if;
  return wake_next(quota_key, most);
end $function$;

CREATE OR REPLACE FUNCTION public.run_ended()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
  update report set last_run_at = new.finished_at where id = new.report and (last_run_at is null or last_run_at < new.finished_at); return null; end $function$;

CREATE OR REPLACE FUNCTION public.wake_next(quota_key text, most integer)
 RETURNS uuid[]
 LANGUAGE sql
AS $function$
  with next as (
    select holder, nth from quota_slot where scope = quota_key and state = 'waiting'
    order by is_urgent desc, since
    limit greatest(0, most - (select count(*) from quota_slot where scope = quota_key and state <> 'waiting'))
  ), woken as (
    update quota_slot set state = 'woken', until = clock_timestamp() + interval '20 s' from next
    where scope = quota_key and quota_slot.holder = next.holder and quota_slot.nth = next.nth
    returning quota_slot.holder
  )
  select coalesce(array_agg(holder), '{}') from woken
$function$;

CREATE TRIGGER audit_add BEFORE INSERT ON public.audit FOR EACH ROW EXECUTE FUNCTION audit_add();

CREATE TRIGGER audit_keep BEFORE DELETE OR UPDATE ON public.audit FOR EACH ROW EXECUTE FUNCTION audit_keep();

CREATE TRIGGER audit_keep_all BEFORE TRUNCATE ON public.audit FOR EACH STATEMENT EXECUTE FUNCTION audit_keep();

CREATE TRIGGER run_ended AFTER INSERT OR UPDATE OF finished_at ON public.run FOR EACH ROW WHEN ((new.finished_at IS NOT NULL)) EXECUTE FUNCTION run_ended();

create policy seen on ad_account as permissive for select to public using ((( SELECT asking_sees_all_advertisers() AS asking_sees_all_advertisers) OR (advertiser IN ( SELECT asking_advertisers() AS asking_advertisers))));

create policy seen on adjustment as permissive for select to public using ((( SELECT asking_is_internal() AS asking_is_internal) AND ( SELECT asking_bills_all_advertisers() AS asking_bills_all_advertisers)));

create policy seen on advertiser as permissive for select to public using ((( SELECT asking_bills_all_advertisers() AS asking_bills_all_advertisers) OR (id IN ( SELECT asking_advertisers() AS asking_advertisers))));

create policy seen on advertiser_member as permissive for select to public using (((user_id = ( SELECT asking_person() AS asking_person)) OR ( SELECT asking_bills_all_advertisers() AS asking_bills_all_advertisers) OR (advertiser IN ( SELECT asking_advertisers() AS asking_advertisers))));

create policy seen on agent as permissive for select to public using (( SELECT asking_is_internal() AS asking_is_internal));

create policy seen on audience as permissive for select to public using ((( SELECT asking_sees_all_advertisers() AS asking_sees_all_advertisers) OR (advertiser IN ( SELECT asking_advertisers() AS asking_advertisers))));

create policy seen on audience_share as permissive for select to public using ((EXISTS ( SELECT
   FROM audience
  WHERE (audience.id = audience_share.audience))));

create policy seen on audience_upload as permissive for select to public using ((EXISTS ( SELECT
   FROM audience
  WHERE (audience.id = audience_upload.audience))));

create policy noted on audit as permissive for insert to public with check ((actor = ( SELECT asking_person() AS asking_person)));

create policy seen on billing_month as permissive for select to public using ((( SELECT asking_is_internal() AS asking_is_internal) AND ( SELECT asking_bills_all_advertisers() AS asking_bills_all_advertisers)));

create policy seen on business as permissive for select to public using ((( SELECT asking_sees_all_advertisers() AS asking_sees_all_advertisers) OR (id IN ( SELECT asking_businesses() AS asking_businesses))));

create policy seen on business_ad_account as permissive for select to public using ((( SELECT asking_sees_all_advertisers() AS asking_sees_all_advertisers) OR (( SELECT asking_is_internal() AS asking_is_internal) AND (business IN ( SELECT asking_granted_businesses() AS asking_granted_businesses))) OR ((business IN ( SELECT asking_businesses() AS asking_businesses)) AND (advertiser_of_account(account) IN ( SELECT asking_advertisers() AS asking_advertisers)))));

create policy seen on business_member as permissive for select to public using (((user_id = ( SELECT asking_person() AS asking_person)) OR ( SELECT asking_sees_all_advertisers() AS asking_sees_all_advertisers)));

create policy seen on calculated_metric as permissive for select to public using (((( SELECT asking_person() AS asking_person) IS NOT NULL) AND ((advertiser IS NULL) OR ( SELECT asking_sees_all_advertisers() AS asking_sees_all_advertisers) OR (advertiser IN ( SELECT asking_advertisers() AS asking_advertisers)))));

create policy seen on conversion_definition as permissive for select to public using ((( SELECT asking_sees_all_advertisers() AS asking_sees_all_advertisers) OR (advertiser IN ( SELECT asking_advertisers() AS asking_advertisers))));

create policy seen on erasure as permissive for select to public using ((( SELECT asking_sees_all_advertisers() AS asking_sees_all_advertisers) OR (advertiser IN ( SELECT asking_advertisers() AS asking_advertisers))));

create policy seen on erasure_account as permissive for select to public using ((EXISTS ( SELECT
   FROM erasure
  WHERE (erasure.id = erasure_account.erasure))));

create policy seen on execution as permissive for select to public using ((created_by = ( SELECT asking_person() AS asking_person)));

create policy seen on execution_run as permissive for select to public using ((EXISTS ( SELECT
   FROM execution
  WHERE (execution.id = execution_run.execution))));

create policy seen on fee_agreement as permissive for select to public using ((( SELECT asking_is_internal() AS asking_is_internal) AND (( SELECT asking_bills_all_advertisers() AS asking_bills_all_advertisers) OR (advertiser IN ( SELECT asking_advertisers() AS asking_advertisers)))));

create policy seen on file as permissive for select to public using ((( SELECT asking_is_internal() AS asking_is_internal) AND ((advertiser IS NULL) OR ( SELECT asking_sees_all_advertisers() AS asking_sees_all_advertisers) OR (advertiser IN ( SELECT asking_advertisers() AS asking_advertisers)))));

create policy seen on filter_value as permissive for select to public using ((EXISTS ( SELECT
   FROM ad_account
  WHERE (ad_account.id = filter_value.ad_account))));

create policy seen on folder as permissive for select to public using ((owner = ( SELECT asking_person() AS asking_person)));

create policy seen on image as permissive for select to public using ((( SELECT asking_is_internal() AS asking_is_internal) AND ((advertiser IS NULL) OR ( SELECT asking_sees_all_advertisers() AS asking_sees_all_advertisers) OR (advertiser IN ( SELECT asking_advertisers() AS asking_advertisers)))));

create policy seen on industry as permissive for select to public using (( SELECT asking_is_internal() AS asking_is_internal));

create policy seen on issuer as permissive for select to public using (( SELECT asking_is_internal() AS asking_is_internal));

create policy seen on link as permissive for select to public using ((( SELECT asking_is_internal() AS asking_is_internal) AND (( SELECT asking_sees_all_advertisers() AS asking_sees_all_advertisers) OR (advertiser IN ( SELECT asking_advertisers() AS asking_advertisers)))));

create policy seen on link_preset as permissive for select to public using ((( SELECT asking_is_internal() AS asking_is_internal) AND ((advertiser IS NULL) OR ( SELECT asking_sees_all_advertisers() AS asking_sees_all_advertisers) OR (advertiser IN ( SELECT asking_advertisers() AS asking_advertisers)))));

create policy seen on locked_account as permissive for select to public using ((( SELECT asking_is_internal() AS asking_is_internal) AND ( SELECT asking_bills_all_advertisers() AS asking_bills_all_advertisers)));

create policy seen on metric_label as permissive for select to public using (((( SELECT asking_person() AS asking_person) IS NOT NULL) AND ((advertiser IS NULL) OR ( SELECT asking_sees_all_advertisers() AS asking_sees_all_advertisers) OR (advertiser IN ( SELECT asking_advertisers() AS asking_advertisers)))));

create policy seen on notification as permissive for select to public using ((user_id = ( SELECT asking_person() AS asking_person)));

create policy seen on payment as permissive for select to public using ((( SELECT asking_is_internal() AS asking_is_internal) AND (( SELECT asking_bills_all_advertisers() AS asking_bills_all_advertisers) OR (advertiser IN ( SELECT asking_advertisers() AS asking_advertisers)))));

create policy seen on platform_invoice as permissive for select to public using ((( SELECT asking_is_internal() AS asking_is_internal) AND ( SELECT asking_bills_all_advertisers() AS asking_bills_all_advertisers)));

create policy seen on publisher as permissive for select to public using (( SELECT asking_is_internal() AS asking_is_internal));

create policy seen on quotation as permissive for select to public using ((( SELECT asking_is_internal() AS asking_is_internal) AND (( SELECT asking_bills_all_advertisers() AS asking_bills_all_advertisers) OR (advertiser IN ( SELECT asking_advertisers() AS asking_advertisers)))));

create policy seen on quotation_file as permissive for select to public using ((EXISTS ( SELECT
   FROM quotation
  WHERE (quotation.id = quotation_file.quotation))));

create policy seen on quotation_line as permissive for select to public using ((EXISTS ( SELECT
   FROM quotation
  WHERE (quotation.id = quotation_line.quotation))));

create policy seen on quotation_line_account as permissive for select to public using ((EXISTS ( SELECT
   FROM quotation_line
  WHERE (quotation_line.id = quotation_line_account.line))));

create policy seen on rate as permissive for select to public using (( SELECT asking_is_internal() AS asking_is_internal));

create policy seen on receipt as permissive for select to public using ((EXISTS ( SELECT
   FROM payment
  WHERE (payment.id = receipt.payment))));

create policy seen on refresh_family as permissive for select to public using ((user_id = ( SELECT asking_person() AS asking_person)));

create policy seen on report as permissive for select to public using (((owner = ( SELECT asking_person() AS asking_person)) OR (id IN ( SELECT asking_reports_of_others() AS asking_reports_of_others))));

create policy seen on report_account as permissive for select to public using ((EXISTS ( SELECT
   FROM report
  WHERE (report.id = report_account.report))));

create policy seen on report_favourite as permissive for select to public using ((user_id = ( SELECT asking_person() AS asking_person)));

create policy seen on report_share as permissive for select to public using ((user_id = ( SELECT asking_person() AS asking_person)));

create policy seen on report_version as permissive for select to public using ((EXISTS ( SELECT
   FROM report
  WHERE (report.id = report_version.report))));

create policy seen on report_view as permissive for select to public using ((owner = ( SELECT asking_person() AS asking_person)));

create policy seen on run as permissive for select to public using ((EXISTS ( SELECT
   FROM report
  WHERE (report.id = run.report))));

create policy seen on run_chunk as permissive for select to public using ((EXISTS ( SELECT
   FROM run
  WHERE (run.id = run_chunk.run))));

create policy seen on second_factor as permissive for select to public using ((user_id = ( SELECT asking_person() AS asking_person)));

create policy seen on site as permissive for select to public using ((( SELECT asking_sees_all_advertisers() AS asking_sees_all_advertisers) OR (advertiser IN ( SELECT asking_advertisers() AS asking_advertisers))));

create policy seen on spend_account as permissive for select to public using ((EXISTS ( SELECT
   FROM ad_account
  WHERE (ad_account.id = spend_account.ad_account))));

create policy seen on spend_day as permissive for select to public using ((EXISTS ( SELECT
   FROM ad_account
  WHERE (ad_account.id = spend_day.ad_account))));

create policy seen on spend_month as permissive for select to public using ((( SELECT asking_is_internal() AS asking_is_internal) AND ( SELECT asking_bills_all_advertisers() AS asking_bills_all_advertisers)));

create policy seen on statement as permissive for select to public using ((( SELECT asking_is_internal() AS asking_is_internal) AND ( SELECT asking_bills_all_advertisers() AS asking_bills_all_advertisers)));

create policy seen on statement_line as permissive for select to public using ((( SELECT asking_is_internal() AS asking_is_internal) AND ( SELECT asking_bills_all_advertisers() AS asking_bills_all_advertisers)));

create policy seen on support_addition as permissive for select to public using ((EXISTS ( SELECT
   FROM support_issue
  WHERE (support_issue.id = support_addition.issue))));

create policy seen on support_image as permissive for select to public using ((EXISTS ( SELECT
   FROM support_issue
  WHERE (support_issue.id = support_image.issue))));

create policy seen on support_issue as permissive for select to public using (((reporter = ( SELECT asking_person() AS asking_person)) OR ( SELECT asking_answers_issues() AS asking_answers_issues)));

create policy seen on target_audience as permissive for select to public using ((( SELECT asking_is_internal() AS asking_is_internal) AND (( SELECT asking_sees_all_advertisers() AS asking_sees_all_advertisers) OR (advertiser IN ( SELECT asking_advertisers() AS asking_advertisers)))));

create policy seen on target_audience_list as permissive for select to public using ((EXISTS ( SELECT
   FROM target_audience
  WHERE (target_audience.id = target_audience_list.target_audience))));

create policy seen on users as permissive for select to public using (((id = ( SELECT asking_person() AS asking_person)) OR ( SELECT asking_is_internal() AS asking_is_internal) OR (id IN ( SELECT asking_known_people() AS asking_known_people))));

grant select on ad_account to sheetcast_reader;

grant select on adjustment to sheetcast_reader;

grant select on advertiser to sheetcast_reader;

grant select on advertiser_member to sheetcast_reader;

grant select on agent to sheetcast_reader;

grant select on audience to sheetcast_reader;

grant select on audience_share to sheetcast_reader;

grant select on audience_upload to sheetcast_reader;

grant insert on audit to sheetcast_reader;

grant select on billing_month to sheetcast_reader;

grant select on business to sheetcast_reader;

grant select on business_ad_account to sheetcast_reader;

grant select on business_member to sheetcast_reader;

grant select on calculated_metric to sheetcast_reader;

grant select on conversion_definition to sheetcast_reader;

grant select on erasure to sheetcast_reader;

grant select on erasure_account to sheetcast_reader;

grant select on execution to sheetcast_reader;

grant select on execution_run to sheetcast_reader;

grant select on fee_agreement to sheetcast_reader;

grant select on file to sheetcast_reader;

grant select on filter_value to sheetcast_reader;

grant select on folder to sheetcast_reader;

grant select on image to sheetcast_reader;

grant select on industry to sheetcast_reader;

grant select on issuer to sheetcast_reader;

grant select on link to sheetcast_reader;

grant select on link_preset to sheetcast_reader;

grant select on locked_account to sheetcast_reader;

grant select on metric_label to sheetcast_reader;

grant select on notification to sheetcast_reader;

grant select on payment to sheetcast_reader;

grant select on platform_invoice to sheetcast_reader;

grant select on publisher to sheetcast_reader;

grant select on quotation to sheetcast_reader;

grant select on quotation_file to sheetcast_reader;

grant select on quotation_line to sheetcast_reader;

grant select on quotation_line_account to sheetcast_reader;

grant select on rate to sheetcast_reader;

grant select on receipt to sheetcast_reader;

grant select on refresh_family to sheetcast_reader;

grant select on report to sheetcast_reader;

grant select on report_account to sheetcast_reader;

grant select on report_favourite to sheetcast_reader;

grant select on report_share to sheetcast_reader;

grant select on report_version to sheetcast_reader;

grant select on report_view to sheetcast_reader;

grant select on run to sheetcast_reader;

grant select on run_chunk to sheetcast_reader;

grant select on site to sheetcast_reader;

grant select on spend_account to sheetcast_reader;

grant select on spend_day to sheetcast_reader;

grant select on spend_month to sheetcast_reader;

grant select on statement to sheetcast_reader;

grant select on statement_line to sheetcast_reader;

grant select on support_addition to sheetcast_reader;

grant select on support_image to sheetcast_reader;

grant select on support_issue to sheetcast_reader;

grant select on target_audience to sheetcast_reader;

grant select on target_audience_list to sheetcast_reader;
