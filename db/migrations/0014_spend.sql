-- no transaction
-- What ad accounts cost by day, for charts: kept, so that nobody who opens the overview waits for platforms.
create table if not exists spend_day (
  ad_account bigint not null references ad_account (id) on delete cascade,
  -- A day of the account's own zone. Days on which nothing was delivered have no row.
  day date not null,
  -- Millionths of the account's currency.
  cost bigint,
  impressions bigint,
  clicks bigint,
  -- Some platforms give one conversion to several clicks.
  conversions double precision,
  primary key (ad_account, day)
);

-- How far the days of an account are known, and who is asking for more.
create table if not exists spend_account (
  ad_account bigint primary key references ad_account (id) on delete cascade,
  -- First and last day that are known.
  known_from date,
  known_to date,
  -- Up to this day the platform has said its last word.
  settled_to date,
  refreshed_at timestamptz,
  next_at timestamptz not null,
  claim uuid,
  claimed_until timestamptz,
  failures integer not null default 0,
  code text,
  -- Reports that the platform is making for the next days: its ids by question.
  jobs jsonb not null default '{}'
);

-- Today's runs of somebody's reports, and the last that failed.
drop index concurrently if exists run_owner_ended;
create index concurrently run_owner_ended on run (owner, status, finished_at) where finished_at is not null;

-- What of somebody's reports is due next.
drop index concurrently if exists report_owner_due;
create index concurrently report_owner_due on report (owner, next_run_at) where next_run_at is not null and deleted_at is null;
