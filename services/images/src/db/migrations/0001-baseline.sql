-- The addresses of images that records of a store name. No other address is ever requested.
create table image_source (
  store_id bigint not null,
  -- Follows from the address: see `imageKey`.
  key text not null,
  url text not null,
  -- When a record last named it. Beyond the limit per store, the oldest image of shoppers is forgotten.
  named_at timestamptz not null,
  -- Until when the pages of an order may show it. Null: no checkout session named it.
  kept_until timestamptz,
  -- Whether a catalog names it and no request has been made yet.
  awaits_prefetch boolean not null default false,
  -- No request is made before. Null: none has been made.
  next_fetch_at timestamptz,
  -- When the server last confirmed or sent the copy.
  fetched_at timestamptz,
  -- Why the last request gave no copy.
  failure text,
  -- The validators of the response with the copy.
  origin_etag text,
  origin_last_modified text,
  primary key (store_id, key)
);

create index image_source_named_at on image_source (store_id, named_at);
create index image_source_kept_until on image_source (kept_until) where kept_until is not null;
create index image_source_awaits_prefetch on image_source (store_id, key) where awaits_prefetch;

-- Which record names which images. A record is a product, a tag, a store or a customer; ids are unique per type.
create table image_reference (
  store_id bigint not null,
  record_type text not null,
  record_id bigint not null,
  key text not null,
  primary key (store_id, record_type, record_id, key),
  foreign key (store_id, key) references image_source (store_id, key)
);

create index image_reference_key on image_reference (store_id, key);

-- The copies of an image, by width.
create table image_variant (
  store_id bigint not null,
  key text not null,
  width int not null,
  bytes bytea not null,
  etag text not null,
  primary key (store_id, key, width),
  foreign key (store_id, key) references image_source (store_id, key) on delete cascade
);

-- WebP cannot be compressed further.
alter table image_variant alter column bytes set storage external;
