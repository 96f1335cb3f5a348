-- no transaction
-- What counts for a person's quota is what is there and what was deleted in the last 30 days; the first is found by indexes of its own.
drop index concurrently if exists report_owner_deleted;
create index concurrently report_owner_deleted on report (owner) where deleted_at is not null;

drop index concurrently if exists folder_owner_deleted;
create index concurrently folder_owner_deleted on folder (owner) where deleted_at is not null;
