-- Answers of platforms that runs share. Unlogged, since losing them costs a request each: they are not in the journal that the database writes ahead,
-- not on its replicas and not in a backup.
create unlogged table shared_fetch (
  -- A keyed hash of the whole question and of the login that asks it.
  name bytea primary key,
  -- The run that is asking it now: held as long as that attempt has its lease, and, where the platform makes the answer meanwhile, while the run waits.
  claim_run uuid,
  claim_attempt integer,
  claim_waits boolean not null default false,
  claimed_at timestamptz not null default now(),
  -- What the platform said, sealed; null: nothing is kept.
  answer bytea,
  bytes integer not null default 0,
  asked_by uuid,
  asked_at timestamptz,
  -- Until then it is good for runs that were wanted before it was asked.
  good_until timestamptz,
  used_at timestamptz,
  -- Its answer was too large to keep: whoever wants it asks for himself.
  too_large_at timestamptz
);
-- Sealed bytes cannot be made smaller.
alter table shared_fetch alter column answer set storage external;
create index shared_fetch_used on shared_fetch (used_at);

alter table run
  -- Answers of platforms over all attempts: those that it has asked for, and those that another run had just asked for.
  add column answers_asked integer not null default 0,
  add column answers_shared integer not null default 0,
  -- When the first of the shared ones was asked for.
  add column shared_from timestamptz;
