-- An attempt has found the run's table too large to be made beside others.
alter table run add column is_large boolean not null default false;
