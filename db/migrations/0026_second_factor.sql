-- A second factor beside the password: codes of an app (RFC 6238), and recovery codes for a lost phone.

create table second_factor (
  user_id bigint primary key references users on delete cascade,
  -- 20 bytes, sealed for this row (src/server/vault.ts).
  secret bytea not null,
  enabled_at timestamptz not null,
  -- The time step of the last code that was accepted: no code of this step or an earlier one is good again.
  last_step bigint not null,
  -- Wrong codes that came with the right password, since wrong_since: from any address.
  wrong_codes integer not null default 0,
  wrong_since timestamptz
);

-- Begun and not yet confirmed by a first code; signing in does not look here.
create table second_factor_enrolment (
  user_id bigint primary key references users on delete cascade,
  secret bytea not null,
  expires_at timestamptz not null
);

create table recovery_code (
  user_id bigint not null references second_factor on delete cascade,
  -- SHA-256 of a random text of 120 bits.
  hash bytea not null check (length(hash) = 32),
  used_at timestamptz,
  primary key (user_id, hash)
);

-- Which reasons there are is said in src/server/db/schema.ts alone: a list here would have to be changed with each new one.
alter table refresh_family drop constraint if exists refresh_family_revoked_because_check;
