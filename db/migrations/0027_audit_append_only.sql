-- no transaction
-- The trail says what was done by whom: rows are added, and neither changed nor removed.

-- The name outlives the person, and so does the number: what the foreign key did when a person was removed was a change of rows.
alter table audit add column if not exists actor_name text;
alter table audit drop constraint if exists audit_actor_fkey;

create or replace function audit_add() returns trigger language plpgsql as $$ begin
  if new.actor is not null and new.actor_name is null then
    new.actor_name := (select coalesce(nullif(full_name, ''), username) from users where id = new.actor); end if; -- for every writer
  return new; end $$;
create or replace trigger audit_add before insert on audit for each row execute function audit_add();

-- Whoever tidies up says for how many days rows are kept, in its own transaction; never fewer than 90, and by the database's clock.
create or replace function audit_keep() returns trigger language plpgsql as $$ declare
  days integer := nullif(current_setting('sheetcast.audit_days', true), ''); begin -- unset, nothing is removed
  if tg_op = 'DELETE' and days >= 90 and old.at < clock_timestamp() - make_interval(days => days) then return old; end if; -- old enough
  raise exception 'rows of the audit trail are neither changed nor removed' using errcode = 'restrict_violation'; end $$;
create or replace trigger audit_keep before update or delete on audit for each row execute function audit_keep();
create or replace trigger audit_keep_all before truncate on audit for each statement execute function audit_keep();

-- What was done to one thing, newest first.
drop index concurrently if exists audit_object;
create index concurrently audit_object on audit (object, object_id, id) where object is not null;
