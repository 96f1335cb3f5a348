-- Customers, what is agreed with them, what is ordered and asked for, and what each month cost. Amounts are millionths of the currency's unit, rates basis
-- points, months their first day. `version` is raised by every change of a row.

create table industry (
  id bigint generated always as identity primary key,
  name text not null,
  name_zh text not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  last_modified_at timestamptz not null default now()
);
create unique index industry_name on industry (lower(name));
create unique index industry_name_zh on industry (lower(name_zh));

insert into industry (name, name_zh) values
  ('E-commerce', '電商零售'), ('Beauty', '美妝保養'), ('Travel', '旅遊'), ('Food and beverage', '餐飲食品'), ('Fashion', '服飾配件'),
  ('Finance', '金融保險'), ('Health', '醫療保健'), ('Education', '教育'), ('Real estate', '房地產'), ('Cars', '汽機車'),
  ('Electronics', '3C 家電'), ('Games and entertainment', '遊戲娛樂'), ('Home and living', '居家生活');

create table agent (
  id bigint generated always as identity primary key,
  name text not null,
  tax_country text not null default 'TW' check (tax_country in ('TW', 'JP', 'other')),
  tax_id text not null default '',
  address text not null default '',
  commission_rate integer not null default 0 check (commission_rate between 0 and 10000),
  commission_base text not null default 'fee' check (commission_base in ('fee', 'media')),
  contacts jsonb not null default '[]',
  payment_terms jsonb not null default '{"kind": "days", "days": 30}',
  note text not null default '',
  is_active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  last_modified_at timestamptz not null default now()
);
create unique index agent_name on agent (lower(name));

alter table advertiser
  add column legal_name text not null default '',
  add column tax_country text not null default 'TW' check (tax_country in ('TW', 'JP', 'other')),
  add column tax_id text not null default '',
  add column industry bigint references industry,
  add column agent bigint references agent,
  add column website text not null default '',
  add column address text not null default '',
  add column contacts jsonb not null default '[]',
  add column document_language text not null default 'zh-TW' check (document_language in ('en', 'zh-TW')),
  -- null: each account's own.
  add column billing_currency text,
  add column tax text not null default 'tw_vat' check (tax in ('tw_vat', 'jp_ct', 'zero_rated', 'exempt')),
  add column media_billing text not null default 'agency' check (media_billing in ('agency', 'advance', 'client')),
  add column payment_terms jsonb not null default '{"kind": "days", "days": 30}',
  add column note text not null default '',
  add column version integer not null default 1;
create index advertiser_industry on advertiser (industry) where industry is not null;
create index advertiser_agent on advertiser (agent) where agent is not null;
create index advertiser_tax_id on advertiser (tax_id) where tax_id <> '';

create table fee_agreement (
  id bigint generated always as identity primary key,
  advertiser bigint not null references advertiser,
  -- null: all channels.
  channel text,
  currency text not null,
  from_month date not null check (extract(day from from_month) = 1),
  -- null: open.
  to_month date check (extract(day from to_month) = 1 and to_month >= from_month),
  amount bigint not null default 0 check (amount >= 0),
  -- [{up_to, rate}], the last without up_to.
  tiers jsonb not null,
  tier_mode text not null default 'marginal' check (tier_mode in ('marginal', 'whole')),
  basis text not null default 'on_top' check (basis in ('on_top', 'within')),
  minimum bigint not null default 0 check (minimum >= 0),
  charges_idle_months boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  last_modified_at timestamptz not null default now()
);
create index fee_agreement_advertiser on fee_agreement (advertiser, from_month);

-- The agency on its documents: one row.
create table issuer (
  is_only boolean primary key default true check (is_only),
  name text not null default '',
  tax_id text not null default '',
  -- Of a qualified invoice in Japan.
  jp_tax_id text not null default '',
  address text not null default '',
  phone text not null default '',
  logo bytea,
  logo_type text check (logo_type in ('image/png', 'image/jpeg')),
  bank text not null default '',
  terms_en text not null default '',
  terms_zh text not null default '',
  base_currency text not null default 'TWD',
  valid_days integer not null default 14 check (valid_days between 1 and 365),
  version integer not null default 1,
  last_modified_at timestamptz not null default now()
);
insert into issuer default values;

-- The last number given in a series and year, raised in the transaction that gives it: no gaps, none twice.
create table number_series (
  series text not null check (series in ('Q', 'P')),
  year integer not null,
  last integer not null,
  primary key (series, year)
);

create table quotation (
  id bigint generated always as identity primary key,
  -- null: a draft that has never been sent.
  number text,
  revision integer not null default 1,
  -- The one of which this is a revision.
  revises bigint references quotation,
  -- sent and valid_until before today is shown as expired.
  status text not null default 'draft' check (status in ('draft', 'sent', 'accepted', 'rejected', 'cancelled', 'superseded')),
  title text not null,
  advertiser bigint not null references advertiser,
  agent bigint references agent,
  bill_to text not null default 'advertiser' check (bill_to in ('advertiser', 'agent')),
  owner bigint not null references users,
  currency text not null,
  tax text not null check (tax in ('tw_vat', 'jp_ct', 'zero_rated', 'exempt')),
  media_billing text not null check (media_billing in ('agency', 'advance', 'client')),
  language text not null check (language in ('en', 'zh-TW')),
  issue_on date,
  valid_until date,
  payment_terms jsonb not null,
  terms text not null default '',
  client_po text not null default '',
  internal_note text not null default '',
  -- [{share, after}] or [{share, due_on}]
  schedule jsonb not null default '[]',
  discount bigint not null default 0 check (discount >= 0),
  fee_minimum bigint not null default 0 check (fee_minimum >= 0),
  -- Derived, by src/shared/billing.
  subtotal bigint not null default 0,
  service_fee bigint not null default 0,
  minimum_fee bigint not null default 0,
  untaxed bigint not null default 0,
  taxable bigint not null default 0,
  tax_amount bigint not null default 0,
  total bigint not null default 0,
  commission bigint not null default 0,
  -- Names, tax ids and addresses of both sides, copied at sending.
  parties jsonb,
  sent_at timestamptz,
  accepted_on date,
  accepted_by text,
  accepted_at timestamptz,
  reason text,
  ended_at timestamptz,
  version integer not null default 1,
  created_by bigint references users on delete set null,
  created_at timestamptz not null default now(),
  last_modified_at timestamptz not null default now()
);
create unique index quotation_number on quotation (number, revision) where number is not null;
create index quotation_advertiser on quotation (advertiser, id desc);
create index quotation_agent on quotation (agent) where agent is not null;
create index quotation_owner on quotation (owner, id desc);
create index quotation_status on quotation (status, id desc);
create index quotation_valid_until on quotation (valid_until) where status = 'sent';
create index quotation_revises on quotation (revises) where revises is not null;

create table quotation_line (
  id bigint generated always as identity primary key,
  quotation bigint not null references quotation on delete cascade,
  position integer not null,
  channel text,
  publisher text not null default '',
  title text not null default '',
  description text not null default '',
  "start" date not null,
  "end" date not null,
  pricing text not null check (pricing in ('budget', 'cpm', 'cpc', 'cpv', 'day')),
  quantity bigint not null default 0,
  unit_price bigint not null default 0,
  budget bigint not null,
  fee_rate integer not null default 0 check (fee_rate between 0 and 10000),
  fee_basis text not null default 'on_top' check (fee_basis in ('on_top', 'within')),
  -- Derived.
  media bigint not null,
  fee bigint not null,
  -- What lines without accounts have delivered, typed.
  typed_spent bigint,
  -- Delivery as it stood 30 days after the end.
  final_spent bigint,
  final_at timestamptz,
  unique (quotation, position) deferrable initially deferred
);

create table quotation_line_account (
  line bigint not null references quotation_line on delete cascade,
  ad_account bigint not null references ad_account,
  primary key (line, ad_account)
);
create index quotation_line_account_account on quotation_line_account (ad_account);

-- PDF at sending, and what the customer has signed.
create table quotation_file (
  quotation bigint not null references quotation on delete cascade,
  kind text not null check (kind in ('pdf', 'acceptance')),
  name text not null,
  mime text not null,
  sha256 bytea not null,
  bytes bytea not null,
  created_at timestamptz not null default now(),
  primary key (quotation, kind)
);

-- What ad accounts have cost by month, for good: their days go after 400.
create table spend_month (
  ad_account bigint not null references ad_account on delete cascade,
  month date not null check (extract(day from month) = 1),
  -- null: not known.
  cost bigint,
  known text not null check (known in ('full', 'partial', 'none')),
  origin text not null check (origin in ('platform', 'import')),
  as_of timestamptz not null,
  primary key (ad_account, month)
);
create index spend_month_month on spend_month (month);

-- A month without a row is open.
create table billing_month (
  month date primary key check (extract(day from month) = 1),
  state text not null default 'open' check (state in ('open', 'locked')),
  locked_by bigint references users on delete set null,
  locked_at timestamptz,
  -- [{ad_account, reason}]
  waivers jsonb not null default '[]'
);

create table platform_invoice (
  id bigint generated always as identity primary key,
  ad_account bigint not null references ad_account,
  month date not null check (extract(day from month) = 1),
  amount bigint not null,
  number text not null default '',
  note text not null default '',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  last_modified_at timestamptz not null default now(),
  unique (ad_account, month)
);
create index platform_invoice_month on platform_invoice (month);

create table adjustment (
  id bigint generated always as identity primary key,
  advertiser bigint not null references advertiser,
  channel text not null,
  month date not null check (extract(day from month) = 1),
  -- The month that it is about.
  concerns_month date not null check (extract(day from concerns_month) = 1),
  currency text not null,
  amount bigint not null check (amount <> 0),
  reason text not null check (reason in ('credit', 'invalid_traffic', 'make_good', 'coupon', 'drift', 'other')),
  note text not null default '',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  last_modified_at timestamptz not null default now()
);
create index adjustment_month on adjustment (month, advertiser);
create index adjustment_advertiser on adjustment (advertiser);

-- Base units for one unit of the currency.
create table rate (
  month date not null check (extract(day from month) = 1),
  currency text not null,
  rate numeric(20, 10) not null check (rate > 0),
  kind text not null check (kind in ('final', 'provisional')),
  source text not null default '',
  last_modified_at timestamptz not null default now(),
  primary key (month, currency)
);

-- What an advertiser owes for a locked month; an open month's is computed when it is read.
create table statement (
  id bigint generated always as identity primary key,
  advertiser bigint not null references advertiser,
  month date not null check (extract(day from month) = 1),
  currency text not null,
  media bigint not null,
  fee bigint not null,
  untaxed bigint not null,
  taxable bigint not null,
  tax_amount bigint not null,
  total bigint not null,
  tax text not null,
  media_billing text not null,
  -- Names, tax ids and addresses of both sides, and the agreements and rates used.
  frozen jsonb not null,
  -- The accepted order that covers it; null: none.
  covered_by bigint references quotation,
  unique (month, advertiser, currency)
);
create index statement_advertiser on statement (advertiser, month);
create index statement_covered_by on statement (covered_by) where covered_by is not null;

-- Of a locked month, by channel and the accounts' currency. statement null: spend of no advertiser.
create table statement_line (
  id bigint generated always as identity primary key,
  month date not null,
  statement bigint references statement on delete cascade,
  advertiser bigint references advertiser,
  channel text not null,
  currency text not null,
  spend bigint,
  adjusted bigint not null default 0,
  billing_currency text,
  billed bigint,
  fee bigint,
  tax_amount bigint,
  total bigint,
  code text
);
create index statement_line_month on statement_line (month, advertiser);
create index statement_line_statement on statement_line (statement);
create index statement_line_advertiser on statement_line (advertiser) where advertiser is not null;

-- What each account counted for when the month was locked: what a platform reports later is drift.
create table locked_account (
  month date not null,
  ad_account bigint not null references ad_account,
  advertiser bigint references advertiser,
  -- As reported, and as on the platform's invoice.
  cost bigint,
  invoice bigint,
  primary key (month, ad_account)
);
create index locked_account_account on locked_account (ad_account);
create index locked_account_advertiser on locked_account (advertiser) where advertiser is not null;

create table payment (
  id bigint generated always as identity primary key,
  number text not null unique,
  quotation bigint references quotation,
  statement bigint references statement,
  check (num_nonnulls(quotation, statement) = 1),
  advertiser bigint not null references advertiser,
  untaxed bigint not null,
  taxable bigint not null,
  tax_amount bigint not null,
  amount bigint not null check (amount = untaxed + taxable + tax_amount),
  currency text not null,
  issue_on date not null,
  due_on date not null,
  invoice_number text,
  invoice_on date,
  note text not null default '',
  -- due and due_on before today is shown as overdue.
  status text not null default 'due' check (status in ('due', 'paid', 'void')),
  reason text,
  -- Of its receipts with their bank fees, without the reversed ones.
  received bigint not null default 0,
  paid_on date,
  version integer not null default 1,
  created_by bigint references users on delete set null,
  created_at timestamptz not null default now(),
  last_modified_at timestamptz not null default now()
);
create unique index payment_invoice_number on payment (invoice_number) where invoice_number is not null and status <> 'void';
create index payment_quotation on payment (quotation) where quotation is not null;
create unique index payment_statement on payment (statement) where statement is not null and status <> 'void';
create index payment_advertiser on payment (advertiser, id desc);
create index payment_due on payment (due_on) where status = 'due';
create index payment_status on payment (status, id desc);

create table receipt (
  id bigint generated always as identity primary key,
  payment bigint not null references payment,
  "on" date not null,
  amount bigint not null check (amount >= 0),
  bank_fee bigint not null default 0 check (bank_fee >= 0),
  method text not null check (method in ('transfer', 'cheque', 'cash', 'card', 'offset')),
  reference text not null default '',
  reversed_at timestamptz,
  reversed_by bigint references users on delete set null,
  reason text,
  created_by bigint references users on delete set null,
  created_at timestamptz not null default now()
);
create index receipt_payment on receipt (payment);

-- Who may see it: finance sees every advertiser in orders, payments and EC spending, and with them the customers.
create function asking_is_finance() returns boolean language sql stable parallel safe
  return asking_is_internal() and asking_department() = 7;

create function asking_bills_all_advertisers() returns boolean language sql stable parallel safe
  return asking_sees_all_advertisers() or asking_is_finance();

drop policy seen on advertiser;
create policy seen on advertiser for select using (
  (select asking_bills_all_advertisers()) or id in (select asking_advertisers()));

alter table industry enable row level security;
create policy seen on industry for select using ((select asking_is_internal()));
alter table agent enable row level security;
create policy seen on agent for select using ((select asking_is_internal()));
alter table issuer enable row level security;
create policy seen on issuer for select using ((select asking_is_internal()));
alter table rate enable row level security;
create policy seen on rate for select using ((select asking_is_internal()));

alter table fee_agreement enable row level security;
create policy seen on fee_agreement for select using (
  (select asking_is_internal()) and ((select asking_bills_all_advertisers()) or advertiser in (select asking_advertisers())));

alter table quotation enable row level security;
create policy seen on quotation for select using (
  (select asking_is_internal()) and ((select asking_bills_all_advertisers()) or advertiser in (select asking_advertisers())));
alter table quotation_line enable row level security;
create policy seen on quotation_line for select using (exists (select from quotation where quotation.id = quotation_line.quotation));
alter table quotation_line_account enable row level security;
create policy seen on quotation_line_account for select using (exists (select from quotation_line where quotation_line.id = quotation_line_account.line));
alter table quotation_file enable row level security;
create policy seen on quotation_file for select using (exists (select from quotation where quotation.id = quotation_file.quotation));

alter table payment enable row level security;
create policy seen on payment for select using (
  (select asking_is_internal()) and ((select asking_bills_all_advertisers()) or advertiser in (select asking_advertisers())));
alter table receipt enable row level security;
create policy seen on receipt for select using (exists (select from payment where payment.id = receipt.payment));

-- EC spending is open to directors and finance alone, who see all of it.
alter table spend_month enable row level security;
create policy seen on spend_month for select using ((select asking_is_internal()) and (select asking_bills_all_advertisers()));
alter table billing_month enable row level security;
create policy seen on billing_month for select using ((select asking_is_internal()) and (select asking_bills_all_advertisers()));
alter table platform_invoice enable row level security;
create policy seen on platform_invoice for select using ((select asking_is_internal()) and (select asking_bills_all_advertisers()));
alter table adjustment enable row level security;
create policy seen on adjustment for select using ((select asking_is_internal()) and (select asking_bills_all_advertisers()));
alter table statement enable row level security;
create policy seen on statement for select using ((select asking_is_internal()) and (select asking_bills_all_advertisers()));
alter table statement_line enable row level security;
create policy seen on statement_line for select using ((select asking_is_internal()) and (select asking_bills_all_advertisers()));
alter table locked_account enable row level security;
create policy seen on locked_account for select using ((select asking_is_internal()) and (select asking_bills_all_advertisers()));
