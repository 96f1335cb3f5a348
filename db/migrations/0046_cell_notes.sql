-- A stored table's note for its start cell: every attempt and a later restore write the same one.
alter table run add column table_note text;
