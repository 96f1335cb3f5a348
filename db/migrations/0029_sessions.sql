-- Where a sign-in comes from, so that its person knows it again in the list of them.
alter table refresh_family
  add column address text,
  -- As the browser says it.
  add column user_agent text,
  -- Of the last renewal; null before the first one.
  add column last_used_at timestamptz;

-- The token that took this one's place: whoever comes a second time within the grace is given the same one.
alter table refresh_token add column child uuid;

-- How many names somebody has tried from one address. Rows live for 15 minutes.
create index sign_in_failure_address on sign_in_failure (address, at);

-- Refused sign-ins of one address, or for one name from several, that the audit trail will have as one line once their time is over.
create table refused_sign_in (
  id bigint generated always as identity primary key,
  address text not null,
  -- As in sign_in_failure: only to be compared.
  name text not null,
  began_at timestamptz not null,
  ends_at timestamptz not null,
  -- After the first one, which has a line of its own.
  more integer not null default 0,
  -- Accounts and addresses among them; the first twenty of each.
  usernames text[] not null default '{}',
  addresses text[] not null default '{}'
);
create index refused_sign_in_address on refused_sign_in (address, ends_at);
create index refused_sign_in_name on refused_sign_in (name, ends_at);
