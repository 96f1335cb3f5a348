-- Tables and columns under the names that the program uses for them. Processes of the version before do not know these names: stop them first
-- (docs/operating.md, Upgrading). One transaction, so that a database has either all old names or all new ones.

alter table care_deed rename to bulk_operation;
alter table bulk_operation rename constraint care_deed_pkey to bulk_operation_pkey;
alter table bulk_operation rename constraint care_deed_actor_fkey to bulk_operation_actor_fkey;
alter table bulk_operation rename constraint care_deed_kind_check to bulk_operation_kind_check;
alter index care_deed_created_at rename to bulk_operation_created_at;

alter table care_change rename to bulk_change;
alter table bulk_change rename column deed to operation;
alter table bulk_change rename constraint care_change_pkey to bulk_change_pkey;
alter table bulk_change rename constraint care_change_deed_fkey to bulk_change_operation_fkey;
alter table bulk_change rename constraint care_change_report_fkey to bulk_change_report_fkey;
alter index care_change_report rename to bulk_change_report;

alter table hand_over rename to report_transfer;
alter table report_transfer rename column handed_at to transferred_at;
alter table report_transfer rename constraint hand_over_pkey to report_transfer_pkey;
alter table report_transfer rename constraint hand_over_folder_fkey to report_transfer_folder_fkey;
alter table report_transfer rename constraint hand_over_from_owner_fkey to report_transfer_from_owner_fkey;
alter table report_transfer rename constraint hand_over_report_fkey to report_transfer_report_fkey;
alter index hand_over_folder rename to report_transfer_folder;
alter index hand_over_from_owner rename to report_transfer_from_owner;
alter index hand_over_handed_at rename to report_transfer_transferred_at;

alter table filter_value rename column seen_at to last_seen_at;

alter table public_account rename column expiry_told to expiry_notified_at;

alter table notification rename column mail_wanted to mail_requested;
alter index notification_mail_wanted rename to notification_mail_requested;

alter table shared_fetch rename column answer to response;
alter table shared_fetch rename column asked_by to requested_by;
alter table shared_fetch rename column asked_at to requested_at;
alter table shared_fetch rename column good_until to expires_at;

alter table quota rename column turns to permits;
alter table quota rename column guessed_ms to backoff_ms;

alter table quota_slot drop constraint quota_slot_state_check;
update quota_slot set state = 'woken' where state = 'called';
alter table quota_slot add constraint quota_slot_state_check check (state in ('waiting', 'woken', 'held'));

alter table run rename column line to waitlist;
alter table run rename column turn_at to waitlist_until;
alter table run rename column answers_asked to answers_requested;
alter index run_line rename to run_waitlist;
-- Of the queue that the rows of runs have replaced.
alter table run drop column nudged_at;

-- The scopes of waitlists have that word in them; times to ask again are given out anew.
update quota set scope = 'sheets waitlist ' || substr(scope, length('sheets line ') + 1) where scope like 'sheets line %';
delete from quota where scope like '% (line)';
update run set waitlist = 'sheets waitlist ' || substr(waitlist, length('sheets line ') + 1) where waitlist like 'sheets line %';
