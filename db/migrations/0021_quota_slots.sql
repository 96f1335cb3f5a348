-- Who asks in a scope at this moment, who has been called in, and who waits for that.
create table quota_slot (
  scope text not null,
  -- A run, over all its attempts, or whoever else asks.
  holder uuid not null,
  nth smallint not null,
  state text not null check (state in ('waiting', 'called', 'held')),
  -- The one attempt, or process, that holds it.
  held_by uuid,
  is_urgent boolean not null,
  since timestamptz not null default clock_timestamp(),
  -- Held slots are prolonged while their process lives.
  until timestamptz not null,
  primary key (scope, holder, nth)
);
create index quota_slot_holder on quota_slot (holder);
create index quota_slot_held_by on quota_slot (held_by);

-- How long the last pause was whose length had to be guessed: the next one is longer when it follows closely.
alter table quota add column guessed_ms integer;
