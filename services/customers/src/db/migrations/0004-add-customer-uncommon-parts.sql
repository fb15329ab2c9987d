-- Parts of one and two characters of the customer's names, of those that hold anything but a-z and 0-9. The index of
-- search_text knows parts of three, and only of what the locale takes for letters; a name of two characters, as names
-- in Chinese are, would be out of its reach. Written by the service.
alter table customer add column uncommon_parts text[] not null default '{}';

create index customer_uncommon_parts on customer using gin (uncommon_parts) where uncommon_parts <> '{}';
