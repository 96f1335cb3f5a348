-- The businesses of Meta in which a shared login has a role, with the accounts that they own or are a client of. What the login may not read is null.
-- Whose an account is stands in ad_account alone.

create table business (
  id bigint generated always as identity primary key,
  -- Text, since these go beyond 2^53.
  external_id text not null unique,
  name text not null,
  verification text,
  -- The one that reads it.
  login bigint references public_account on delete set null,
  -- When its accounts were last read, and when that was last tried.
  refreshed_at timestamptz,
  tried_at timestamptz,
  requested_at timestamptz,
  problem text,
  created_at timestamptz not null default now()
);
create index business_login on business (login);

create table business_ad_account (
  id bigint generated always as identity primary key,
  business bigint not null references business on delete cascade,
  account text not null,
  name text not null,
  relation text not null check (relation in ('owned', 'client')),
  -- In Meta's numbers, of a list that grows.
  status integer not null,
  disable_reason integer,
  currency text not null,
  timezone text not null,
  -- null: none.
  spend_cap bigint check (spend_cap > 0),
  amount_spent bigint,
  balance bigint,
  -- Basis points.
  cap_used integer generated always as (
    case when amount_spent is not null and spend_cap is not null then least(floor(amount_spent::numeric * 10000 / spend_cap), 1000000)::integer end) stored,
  is_prepay boolean,
  funding jsonb,
  tasks jsonb not null default '[]',
  tos_accepted boolean,
  created_at timestamptz,
  listed_at timestamptz not null,
  gone_at timestamptz,
  -- Whether the staff has been notified that it has stopped, and of which cap they were notified that it is near.
  stop_noted boolean not null default false,
  cap_noted bigint,
  -- [{at, field, from, to}], the newest first.
  history jsonb not null default '[]',
  unique (business, account)
);
create index business_ad_account_account on business_ad_account (account);

create table business_member (
  business bigint not null references business on delete cascade,
  user_id bigint not null references users,
  granted_by bigint references users,
  created_at timestamptz not null default now(),
  primary key (business, user_id)
);
create index business_member_user on business_member (user_id);

-- When the businesses of a login were last read; a claim whose process has died expires.
create table business_refresh (
  login bigint primary key references public_account on delete cascade,
  claimed_until timestamptz,
  finished_at timestamptz
);

-- The advertiser of an account, for those who see the whole business, whoever may use the account.
create function advertiser_of_account(account text) returns bigint language sql stable parallel safe security definer
begin atomic
  select advertiser from ad_account where provider = 'meta' and external_id = account; end;

create function asking_granted_businesses() returns setof bigint language sql stable parallel safe security definer rows 5
begin atomic
  select business from business_member where user_id = asking_person(); end;

create function asking_businesses() returns setof bigint language sql stable parallel safe security definer rows 5
begin atomic
  select business from business_member where user_id = asking_person()
  union
  select theirs.business
  from business_ad_account theirs join ad_account on ad_account.provider = 'meta' and ad_account.external_id = theirs.account
  where asking_is_internal() and ad_account.advertiser in (select asking_advertisers()); end;

alter table business enable row level security;
create policy seen on business for select using (
  (select asking_sees_all_advertisers()) or id in (select asking_businesses()));

alter table business_ad_account enable row level security;
create policy seen on business_ad_account for select using (
  (select asking_sees_all_advertisers())
  or ((select asking_is_internal()) and business in (select asking_granted_businesses()))
  or (business in (select asking_businesses()) and advertiser_of_account(account) in (select asking_advertisers())));

alter table business_member enable row level security;
create policy seen on business_member for select using (
  user_id = (select asking_person()) or (select asking_sees_all_advertisers()));
