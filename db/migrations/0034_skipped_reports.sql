-- Reports of an execution that were not started, since their setup is not complete or a restore was in progress: no run is made for them.
alter table execution add column skipped jsonb not null default '[]';
