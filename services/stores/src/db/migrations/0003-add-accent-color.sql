-- Null: the default of the pages.
alter table store add column accent_color text check (accent_color ~ '^#[0-9a-f]{6}$');
